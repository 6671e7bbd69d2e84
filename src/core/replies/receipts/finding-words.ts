import { plainText } from "../../../lib/plain-text.js";
import type { ReceiptFinding } from "../../receipts/receipt-finding.js";
import { shortSha } from "../land/quote.js";
import { ALLOWED_SIGNERS } from "../sign/signing.js";

/** What does not hold about a receipt, as the end of a sentence that names it. */
export function findingText(finding: ReceiptFinding): string {
  switch (finding.code) {
    case "not-linear":
      return `stands on ${finding.parents} others, so the chain is not one line`;
    case "no-statement":
      return "says nothing: its commit has no statement.json";
    case "malformed":
      return `cannot be read: ${plainText(finding.problem)}`;
    case "unknown-format":
      return `is of the form ${plainText(finding.found)}, which this koryph does not know`;
    case "out-of-place":
      return `says that it follows ${named(finding.says)}, and stands on ${named(finding.stands)}`;
    case "unsigned":
      return "is not signed: whoever may write the ref can have made it";
    case "bad-signature":
      return "has a signature that is not over what it says";
    case "unknown-signer":
      return `is signed with the key ${plainText(finding.fingerprint)}, which ${ALLOWED_SIGNERS} of ${shortSha(finding.base)} does not name for koryph-receipt`;
    case "contradicts-itself":
      return `names two different things as its ${finding.field}`;
    case "missing-commit":
      return `names ${shortSha(finding.sha)}, which the repository does not have`;
    case "tree-differs":
      return `says that ${shortSha(finding.says)} landed, and the commit has the tree ${shortSha(finding.shows)}`;
    case "commits-differ":
      return `does not list what lies between its base and its head: look at ${shortSha(finding.sha)}`;
    case "signer-differs":
      return `names another signature of ${shortSha(finding.sha)} than that commit has`;
    case "listed-twice":
      return `lists ${shortSha(finding.sha)}, which receipt ${shortSha(finding.first)} lists as well`;
    case "taken-back":
      return `is of ${shortSha(finding.head)}, which was taken off the branch again`;
  }
}

function named(commit: string | null): string {
  return commit === null ? "none" : shortSha(commit);
}
