import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { badSubjects } from "../../land/commit-style.js";
import { redactText } from "../../redact.js";
import { cutComment } from "../app/github.js";
import { shownCode, shownText } from "../markdown.js";

/** What a pull request of koryph's own tells. */
export interface PullWork {
  readonly bead: string;
  readonly title: string;
  /** As the tracker names it: bug, chore, task and whatever else it knows. */
  readonly type: string;
  /** One criterion a line; empty when there is none. */
  readonly acceptance: string;
  readonly run: string;
  readonly commits: readonly { readonly subject: string }[];
}

/** GitHub takes no longer titles. */
const LONGEST_TITLE = 256;
const LONGEST_CRITERION = 500;
const MOST_CRITERIA = 50;

const COMMIT_TYPE: Readonly<Record<string, string>> = { bug: "fix", chore: "chore" };

/** A single commit says best what it is; several are named after their bead. */
export function pullTitle({ bead, title, type, commits }: PullWork): string {
  const [only, ...others] = commits.map(({ subject }) => ({ sha: "", subject }));
  const isOwnTitle =
    only !== undefined && others.length === 0 && badSubjects([only], "conventional").length === 0;
  const text = isOwnTitle ? only.subject : `${COMMIT_TYPE[type] ?? "feat"}(${bead}): ${title.trim() || bead}`;
  return cutText(redactText(plainText(text)), LONGEST_TITLE);
}

/** Finds a pull request of koryph's own again; nothing is ever decided by it. */
function pullMarker(bead: string): string {
  return `<!-- koryph:pull ${bead} -->`;
}

/** Markdown. Title and criteria are other people's words, so none of it is markup. */
export function pullBody(work: PullWork): string {
  const { bead, run } = work;
  const criteria = redactText(work.acceptance)
    .replaceAll("\\n", "\n")
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, "").trim())
    .filter((line) => line !== "");
  const rest = criteria.length - MOST_CRITERIA;
  return cutComment(
    [
      pullMarker(bead),
      `**${shownCode(bead)}**: ${shownText(redactText(work.title), LONGEST_TITLE)}`,
      ...(criteria.length === 0
        ? []
        : ["", "Acceptance criteria:", "", ...criteria.slice(0, MOST_CRITERIA).map(criterionLine)]),
      ...(rest > 0 ? [`- and ${rest} more`] : []),
      "",
      "---",
      `koryph run ${shownCode(run)}; lands fast-forward-only with \`/koryph land\`, which keeps every signed commit as it is. GitHub's merge button does not.`,
    ].join("\n"),
  );
}

function criterionLine(text: string): string {
  return `- ${shownText(text, LONGEST_CRITERION)}`;
}
