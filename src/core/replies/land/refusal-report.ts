import type { LandRefusal } from "../../land/refusal.js";
import { conflictReport, gateReport, styleReport } from "./reports.js";

export type ReportKind = "review" | "gate" | "style" | "conflict";

/** What the implementer is to read about a refused landing; null when it is none of an agent's business. */
export function refusalReport(
  refusal: LandRefusal,
): { readonly kind: ReportKind; readonly text: string } | null {
  switch (refusal.result) {
    case "gate-failed":
      return { kind: "gate", text: gateReport(refusal) };
    case "commit-style":
      return { kind: "style", text: styleReport(refusal.commits.map(({ subject }) => subject)) };
    case "conflict":
      return { kind: "conflict", text: conflictReport(refusal.files) };
    case "dirty":
    case "no-changes":
    case "protected":
    case "unsigned":
    case "error":
      return null;
  }
}
