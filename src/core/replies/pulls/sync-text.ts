import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { PullFate } from "../../control/decide-sync.js";
import { shortSha } from "../land/quote.js";
import { shownCode, shownText } from "../markdown.js";

/** One pull request after a look at GitHub. */
export interface SyncedPull {
  readonly pull: number;
  /** Null for one that carries no bead's work. */
  readonly bead: string | null;
  readonly url: string | null;
  readonly change: PullFate;
}

/** Why a bead is blocked whose pull request did not land, as the ledger keeps it. */
export function closedReason(pull: number, change: PullFate): string {
  return change.kind === "elsewhere"
    ? `its pull request #${pull} was merged into ${plainText(change.base)}, which is not the default branch`
    : `its pull request #${pull} was closed without landing`;
}

/** A line for the terminal. */
export function syncedLine({ pull, bead, change }: SyncedPull): string {
  return plainText(`#${pull}${bead === null ? "" : ` (${bead})`}: ${changeText(change)}`);
}

function changeText(change: PullFate): string {
  switch (change.kind) {
    case "merged":
      return `merged as ${shortSha(change.head)}`;
    case "elsewhere":
      return `merged into ${change.base}, which is not the default branch: blocked`;
    case "closed":
      return "closed without landing: blocked";
    case "reopened":
      return "open again";
    case "none":
      return "nothing new";
    case "unknown":
      return "GitHub does not tell what became of it, so it is left as it is";
  }
}

export const syncWords = {
  nothing: () => "no bead has a pull request that could have changed",
  same: (count: number) => `${count === 1 ? "1 pull request is" : `${count} pull requests are`} as before`,
  settled: (bead: string, head: string) => `${bead} is closed, landed as ${shortSha(head)}`,
  /** The change is recorded; a later run closes the bead. */
  unsettled: (bead: string, why: string) =>
    `${bead} landed and could not be closed just now: ${plainText(why)}; koryph pr-sync tries again`,
};

/** The same for a comment, in markdown. */
export function syncedSentence(synced: readonly SyncedPull[]): string {
  const news = synced.filter(({ change }) => change.kind !== "none");
  if (synced.length === 0) return syncWords.nothing();
  if (news.length === 0) return `nothing: ${syncWords.same(synced.length)}`;
  const named = news.map(({ pull, bead, change }) => {
    const of = bead === null ? "" : ` (${shownCode(bead)})`;
    return `#${pull}${of}: ${shownText(changeText(change))}`;
  });
  return named.join("; ");
}

/** A promise to programs, as docs/json.md describes it. */
export function syncedJson(synced: readonly SyncedPull[]) {
  return {
    pulls: synced.map(({ pull, bead, url, change }) => ({
      pull,
      bead,
      url,
      change: change.kind === "elsewhere" ? "closed" : change.kind,
      head: change.kind === "merged" ? change.head : null,
    })),
  };
}

/** What keeps pull requests from being read. */
export const pullsAdvice = {
  no_remote: (): Advice => ({
    message: "this repository has no remote, so there are no pull requests",
    hint: "add a remote on GitHub",
  }),
  not_github: (host: string): Advice => ({
    message:
      host === ""
        ? "the remote is a folder, so there are no pull requests"
        : `${plainText(host)} is no GitHub that koryph knows as such`,
    hint: "a GitHub Enterprise Server is named by GITHUB_SERVER_URL and GITHUB_API_URL",
  }),
  no_token: (host: string): Advice => ({
    message: `there is no token for ${plainText(host)}`,
    hint: "set GITHUB_TOKEN or GH_TOKEN, or log in with `gh auth login`",
  }),
};
