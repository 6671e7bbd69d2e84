import { createHash } from "node:crypto";
import type { ReleaseFacts } from "../../../core/issues/decide-release.js";
import { releasedText } from "../../../core/issues/issue-bead.js";
import { hasLabel } from "../../../core/issues/issue-labels.js";
import type { IssueRecord } from "../../../core/issues/issue-record.js";
import type { IssueHistory } from "./issue-history.js";

/** What an issue's release is decided by. Without a history nobody is known to have released it. */
export function releaseFacts(record: IssueRecord, history: IssueHistory | null, label: string): ReleaseFacts {
  // Title and text are those that were read together with their history.
  const text = releasedText(history ?? record);
  return {
    label,
    hasLabel: hasLabel(record.labels, label),
    labelled: history?.labelled ?? null,
    edits: history?.edits ?? [],
    editsComplete: history?.editsComplete ?? false,
    text: createHash("sha256").update(text).digest("hex"),
  };
}
