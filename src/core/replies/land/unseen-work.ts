import { plainText } from "../../../lib/plain-text.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { UnseenWork } from "../../land/unseen-work.js";
import { quoteFew } from "./quote.js";

/** What a person may take for part of the default branch, and is not; none when there is nothing. */
export function unseenLines(unseen: UnseenWork | null): string[] {
  if (unseen === null) return [];
  const { branch, remote, ahead, uncommitted } = unseen;
  const lines: string[] = [];
  if (ahead > 0 && remote !== null) {
    const [commits, them] = ahead === 1 ? ["1 commit", "it"] : [`${ahead} commits`, "them"];
    lines.push(
      `your ${plainText(branch)} is ${commits} ahead of ${plainText(remote)}'s: agents and the gate do not see ${them} until you push (git push ${shellWord(remote)} ${shellWord(branch)})`,
    );
  }
  if (uncommitted.length > 0)
    lines.push(
      `your checkout has uncommitted changes (${quoteFew(uncommitted)}): agents and the gate see only what is committed${remote === null ? "" : " and pushed"}`,
    );
  return lines;
}

/** Said where a landing moved the remote and not the operator's own checkout. */
export function pullLine(remote: string, branch: string, unseen: UnseenWork | null): string {
  const stash = unseen?.uncommitted.length ? "--autostash " : "";
  const how = unseen?.ahead ? `--rebase ${stash}` : "--ff-only ";
  return `to have it in your checkout: git pull ${how}${shellWord(remote)} ${shellWord(branch)}`;
}
