/** What an implementer is sent back with: a review, or why its work could not land. */
export type ReportKind = "review" | "gate" | "style" | "conflict";
