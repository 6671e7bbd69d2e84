import { plainText } from "../../../lib/plain-text.js";
import { LIFTABLE_PATHS } from "../../land/protected-paths.js";
import {
  type LandRefusal,
  type LandResult,
  type MendedByAgent,
  type RecordedRefusal,
  type RefusalKind,
  type RefusalOf,
  refusalKind,
  ruleOf,
} from "../../land/refusal.js";
import type { ReportKind } from "../../model/report-kind.js";
import { ALLOWED_SIGNERS, explainSignature } from "../sign/signing.js";
import { bare, typed } from "../typed.js";
import { gateEnd } from "./gate.js";
import { quote, quoteFew, shortSha } from "./quote.js";
import {
  handPage,
  protectedHint,
  type RefusedWork,
  restyleHint,
  secretsHint,
  sendBackHint,
  signAllHint,
  straightenHint,
} from "./refused-work.js";
import { conflictReport, gateReport, styleReport } from "./reports.js";

/** All that is said about one kind of refusal. */
interface RefusalWords<K extends RefusalKind> {
  /** One line for the ledger, the terminal and the tracker: what was found and what is needed. */
  detail(refusal: RefusalOf<K>): string;
  /** What a person does about it, with the commands that do it. */
  hint(work: RefusedWork, refusal: RefusalOf<K>): string;
  /** The same in a list of beads, where only the kind of refusal is known. */
  next(bead: string): string;
  /** What the implementer is to read; absent when it is none of an agent's business. */
  report?(refusal: RefusalOf<K>): string;
}

type WordsFor<K extends RefusalKind> = K extends MendedByAgent
  ? Required<RefusalWords<K>>
  : Omit<RefusalWords<K>, "report"> & { readonly report?: never };

const sendBackNext = (bead: string) =>
  `${typed(`koryph tail ${bead}`)} shows the report, ${typed(`koryph retry ${bead}`)} sends it back to an agent with it`;
const tryAgainNext = (bead: string) =>
  `${typed("koryph status")} says why, ${typed(`koryph land ${bead}`)} tries again`;

const takeOutNext = (bead: string) => `\`koryph land ${bead}\` says what it is and where to take it out`;

const TOKEN_PLACES = "set GITHUB_TOKEN or GH_TOKEN, or log in with `gh auth login`";
/** The work is done and kept: what follows costs nothing. */
const openAgain = (first: string, bead: string) =>
  `${first}, then ${typed("koryph run --resume")} opens its pull request; ${typed(`koryph land ${bead}`)} lands it without one`;

const WORDS: { readonly [K in RefusalKind]: WordsFor<K> } = {
  dirty: {
    detail: () => "the bead's clone has changes that are in no commit; commit or discard them",
    hint: ({ bead }) => `koryph retry ${bead} sends it back to an agent, who finds the changes`,
    next: (bead) => `\`koryph retry ${bead}\` sends it back to an agent, who finds the changes`,
  },
  "no-changes": {
    detail: () => "its commits change nothing that the default branch does not have already",
    hint: (work) =>
      `if its work is on the default branch already, close the bead: ${handPage(work)} tells how`,
    next: () => "close it if its work is on the default branch already",
  },
  protected: {
    detail: ({ paths }) =>
      `it changes ${quoteFew(paths)}, which no agent may land; a person has to look at it`,
    hint: (work, { paths }) => protectedHint(paths, work),
    next: (bead) =>
      `after a look \`koryph land ${bead} --allow-protected\` lifts ${LIFTABLE_PATHS.join(" and ")}, \`koryph land ${bead}\` tells how any other path lands by hand; \`koryph retry ${bead}\` lets an agent do it without`,
  },
  file_name: {
    detail: ({ paths }) => `it adds names that not every machine can have: ${quoteFew(paths)}`,
    hint: straightenHint,
    next: takeOutNext,
  },
  link_outside: {
    detail: ({ paths }) => `it has links that lead out of the repository: ${quoteFew(paths)}`,
    hint: straightenHint,
    next: takeOutNext,
  },
  attribute_driver: {
    detail: ({ paths }) =>
      `it has git pass files through programs of other people's settings: ${quoteFew(paths)}; a person has to look at it`,
    hint: ({ bead }) => `after a look: koryph land ${bead} --allow-protected`,
    next: (bead) =>
      `\`koryph diff ${bead}\` shows the work; \`koryph land ${bead} --allow-protected\` lands it`,
  },
  file_too_large: {
    detail: ({ paths }) => `its files are larger than land.max_file_mb allows: ${quoteFew(paths)}`,
    hint: (work) => `${straightenHint(work)}; or raise land.max_file_mb in koryph.project.json`,
    next: takeOutNext,
  },
  undeclared: {
    detail: ({ paths, writes }) =>
      `it changes ${quoteFew(paths)}, and its footprint declares ${writes.length === 0 ? "nothing to write" : quoteFew(writes)}; a person has to look at it`,
    hint: ({ bead }) => `koryph diff ${bead} shows the work; koryph land ${bead} lands it all the same`,
    next: (bead) =>
      `\`koryph diff ${bead}\` shows the work; \`koryph land ${bead}\` lands it all the same; labels or an area_map that name the paths keep it from the next bead`,
  },
  secrets: {
    detail: ({ found }) =>
      `its commits add what looks like a secret (${quoteFew(found.map(({ path, kind }) => `${kind} in ${path}`))}); a person has to look at it`,
    hint: secretsHint,
    next: (bead) =>
      `\`koryph diff ${bead}\` shows the work; \`koryph land ${bead} --allow-secrets\` lands it when none of it is a secret; \`koryph retry ${bead}\` lets an agent do it without`,
  },
  "commit-style": {
    detail: ({ commits }) =>
      `${quoteFew(commits.map(({ sha, subject }) => `${shortSha(sha)} "${subject}"`))} ${commits.length === 1 ? "has a subject that is" : "have subjects that are"} not a conventional one, such as "fix(parser): accept an empty list"`,
    hint: (work, { commits }) =>
      restyleHint(
        commits.map(({ sha }) => sha),
        work,
      ),
    next: sendBackNext,
    report: ({ commits }) => styleReport(commits.map(({ subject }) => subject)),
  },
  unsigned: {
    detail: ({ commits, under }) => {
      const bad = quoteFew(commits.map((commit) => `${shortSha(commit.sha)}: ${explainSignature(commit)}`));
      return under === undefined
        ? bad
        : `${bad}; koryph signs nothing that lies under ${shortSha(under)}, whose own signature would be lost`;
    },
    hint: (work, { commits }) => {
      const stranger = commits.some(({ letter }) => letter === "U" || letter === "B");
      const allow = stranger ? `allow their key in ${ALLOWED_SIGNERS} on the default branch, or ` : "";
      return `${allow}${signAllHint(work)}`;
    },
    next: (bead) => `\`koryph land ${bead}\` names the commits and says how to sign them`,
  },
  conflict: {
    detail: ({ files }) =>
      files.length === 0
        ? "its commits cannot be replayed on the default branch"
        : `its commits and the default branch both change ${quoteFew(files)}`,
    hint: sendBackHint,
    next: sendBackNext,
    report: ({ files }) => conflictReport(files),
  },
  "gate-failed": {
    detail: (red) => `${quote(red.command)} ${gateEnd(red)}`,
    hint: sendBackHint,
    next: sendBackNext,
    report: gateReport,
  },
  base_red: {
    detail: (red) =>
      `the default branch itself is red at ${shortSha(red.base)}: ${quote(red.command)} ${gateEnd(red)}; that is not this work's fault`,
    hint: ({ bead }) =>
      `koryph gate shows what is wrong there; once the default branch is mended, koryph land ${bead}`,
    next: (bead) =>
      `\`koryph gate\` shows what is red on the default branch; once it is mended, \`koryph land ${bead}\``,
  },
  base_busy: {
    detail: ({ moves }) => `the default branch moved ${moves} times during the landing`,
    hint: ({ bead }) => `koryph land ${bead} again when fewer people push`,
    next: tryAgainNext,
  },
  push_refused: {
    detail: ({ why }) => quote(why),
    hint: ({ bead }) => `see to what it says, then koryph land ${bead} again`,
    next: tryAgainNext,
  },
  squash_signed: {
    detail: () => "squashing would replace signed commits by one",
    hint: ({ bead }) => `koryph land ${bead} --method ff`,
    next: (bead) => `\`koryph land ${bead} --method ff\``,
  },
  unsupported: {
    detail: ({ findings }) => quote(findings.join("; ")),
    hint: straightenHint,
    next: (bead) => `\`koryph land ${bead}\` says what it is and where to take it out`,
  },
  no_candidate: {
    detail: () => "its commits were made on another machine and are not to be had here",
    hint: ({ bead }) => `koryph retry ${bead} lets an agent do the work`,
    next: (bead) => `\`koryph retry ${bead}\` lets an agent do the work`,
  },
  broken: {
    detail: ({ why }) => quote(why),
    hint: ({ bead }) => `koryph log --bead ${bead} tells more`,
    next: tryAgainNext,
  },
  other_branch: {
    detail: ({ asked, found, checkedOut }) =>
      quote(
        checkedOut
          ? `it lands on ${asked}, and the checkout is on ${found} now: git checkout ${asked}, then land it again`
          : `it was to land on ${asked}, and the default branch is ${found} now`,
      ),
    hint: (work) => `switch back, or land it by hand as ${handPage(work)} tells`,
    next: tryAgainNext,
  },
  interrupted: {
    detail: () => "the landing was interrupted and taken back",
    hint: ({ bead }) => `koryph land ${bead} when you want it landed`,
    next: tryAgainNext,
  },
  no_remote: {
    detail: () => "merge policy pr needs a remote on GitHub, and this repository has no remote",
    hint: ({ bead }) => openAgain("add the remote", bead),
    next: (bead) => openAgain("add a remote on GitHub", bead),
  },
  not_github: {
    detail: ({ host }) =>
      `merge policy pr needs a remote on GitHub, and ${host === "" ? "the remote is a folder" : `${quote(host)} is none that koryph knows as such`}`,
    hint: ({ bead }, { host }) =>
      openAgain(
        host === ""
          ? "point the remote to GitHub"
          : `if that is a GitHub Enterprise Server, set GITHUB_SERVER_URL and GITHUB_API_URL`,
        bead,
      ),
    next: (bead) => openAgain("point the remote to GitHub", bead),
  },
  no_token: {
    detail: ({ host }) => `a pull request on ${quote(host)} needs a token, and there is none`,
    hint: ({ bead }) => openAgain(TOKEN_PLACES, bead),
    next: (bead) => openAgain(TOKEN_PLACES, bead),
  },
  branch_taken: {
    detail: ({ branch, at }) =>
      `${quote(branch)} on the remote is at ${shortSha(at)}, which koryph did not put there; it is left alone`,
    hint: ({ bead }, { branch }) =>
      openAgain(`keep what is on ${quote(branch)} elsewhere and delete it`, bead),
    next: (bead) => openAgain("move what somebody put on its branch out of the way", bead),
  },
  pull_refused: {
    detail: ({ why }) => `GitHub opens no pull request: ${quote(why)}`,
    hint: ({ bead }) => openAgain("see to what it says", bead),
    next: (bead) => openAgain("see to what GitHub says", bead),
  },
};

function wordsOf({ kind }: LandRefusal): RefusalWords<RefusalKind> {
  return WORDS[kind];
}

export function refusalDetail(refusal: LandRefusal): string {
  return wordsOf(refusal).detail(refusal);
}

export function refusalHint(refusal: LandRefusal, work: RefusedWork): string {
  return bare(wordsOf(refusal).hint(work, refusal));
}

/** Null when an agent cannot mend it. */
export function refusalReport(
  refusal: LandRefusal,
): { readonly kind: ReportKind; readonly text: string } | null {
  const { mend } = ruleOf(refusal);
  const text = wordsOf(refusal).report?.(refusal);
  return mend.by === "agent" && text !== undefined ? { kind: mend.setback, text } : null;
}

export function refusedLine(bead: string, refusal: LandRefusal): string {
  return `${bead} was not landed, ${ruleOf(refusal).result}: ${plainText(refusalDetail(refusal))}`;
}

/** What brings a bead on whose last landing was refused. Commands in it stand between backticks. */
export function nextAfterRefusal(bead: string, refused: RecordedRefusal): string {
  return `${refusedShortly(refused.result)}: ${nextAtTerminal(bead, refused)}`;
}

export function nextAtTerminal(bead: string, refused: RecordedRefusal): string {
  const kind = refusalKind(refused);
  return kind === null ? tryAgainNext(bead) : WORDS[kind].next(bead);
}

function refusedShortly(result: LandResult): string {
  return result === "error" || result === "merged"
    ? "its last landing failed"
    : `its landing was refused (${result})`;
}
