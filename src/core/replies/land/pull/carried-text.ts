import { cutBytes } from "../../../../lib/fit/cut-bytes.js";
import { plainLines } from "../../../../lib/plain-text.js";
import type { PullStanding } from "../../../control/pull-standing.js";
import type { CarriedApproval, CarriedCommits } from "../../../land/pull/carry-approval.js";
import { fenced } from "../../../prompt/untrusted-text.js";
import { redactText } from "../../../redact.js";
import { shownCode } from "../../markdown.js";
import { shortSha } from "../quote.js";

/** As much of a range-diff as leaves room for everything else in a comment. */
const MOST_BYTES = 6_000;
const MOST_LINES = 20;
const CUT = "[the rest is left out]";

const SAME = "replayed on the new base, each approved commit gives the same tree, author and message";

/**
 * An approval of an older head, with what a person can look at to judge it themselves, in markdown; empty where there is
 * none. `url` is the repository's on GitHub.
 */
export function carriedText({ phase, carried, compared }: PullStanding, url: string): string {
  if (carried === null) return "";
  const { approved, head } = carried;
  const what = phase.kind === "landed" ? "What has landed" : "What is to land";
  const links = comparePages(carried, compared).map(
    ({ name, pages }) => `[${name}](${encodeURI(url)}/compare/${pages})`,
  );
  return [
    `${what} is ${code(head)}, which koryph rebased from ${code(approved)}. People approved ${code(approved)}, and their approval holds: ${SAME}. See ${links.join(", ")}.`,
    ...(compared?.rangeDiff == null ? [] : ["", rangeDiffDetails(compared.rangeDiff)]),
  ].join("\n");
}

/** After the sentence that a commit has landed; empty where people approved that very commit, or nobody had to. */
export function carriedClause(approved: string | undefined): string {
  if (approved === undefined) return "";
  return `. People approved ${code(approved)}, which koryph rebased: the status comment compares the two`;
}

/** The same for a terminal, below the line that it has landed. */
export function carriedLines(
  carried: CarriedApproval,
  compared: CarriedCommits | null,
  url: string,
): string[] {
  const { approved, head } = carried;
  const lines = (compared?.rangeDiff ?? "").trimEnd().split("\n");
  const shown = lines.slice(0, MOST_LINES).map((line) => `    ${plainLines(redactText(line))}`);
  return [
    `  people approved ${shortSha(approved)}, which koryph rebased to ${shortSha(head)}; ${SAME}`,
    ...comparePages(carried, compared).map(({ name, pages }) => `  ${name}: ${url}/compare/${pages}`),
    ...(compared?.rangeDiff == null ? [] : ["  git range-diff, which decides nothing:", ...shown]),
    ...(lines.length > MOST_LINES ? [`    ${CUT}`] : []),
  ];
}

/** Three dots leave out what the base branch brought; two show nothing but that. */
function comparePages({ approved, head }: CarriedApproval, compared: CarriedCommits | null) {
  const between = { name: "what lies between the two", pages: `${approved}..${head}` };
  if (compared === null) return [between];
  return [
    { name: "what people approved", pages: `${compared.approvedOn}...${approved}` },
    { name: "what koryph made of it", pages: `${compared.headOn}...${head}` },
    between,
  ];
}

function rangeDiffDetails(text: string): string {
  const safe = plainLines(redactText(text));
  const kept = cutBytes(safe, MOST_BYTES);
  const body = kept === safe ? kept : `${kept.slice(0, kept.lastIndexOf("\n") + 1)}${CUT}`;
  return `<details><summary>${shownCode("git range-diff")}, which decides nothing</summary>\n\n${fenced(body)}\n\n</details>`;
}

function code(sha: string): string {
  return shownCode(sha.slice(0, 12));
}
