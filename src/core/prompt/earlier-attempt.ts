import type { Leftover } from "../model/leftover.js";
import { capped, fenced } from "./untrusted-text.js";

/** What is there of the attempts before, as it was found when the clone was made ready. */
export interface EarlierAttempt {
  /** What is known of the last one's end; empty when nothing is. */
  readonly end: string;
  readonly commits: number;
  readonly leftover: Leftover;
}

const END_CHARACTERS = 2_000;

const LEFT: Readonly<Record<Exclude<Leftover, "none">, string>> = {
  there:
    "Changes that it had not committed are in your clone. Look at `git status` and `git diff` first, and commit of them what is sound.",
  patch:
    "Changes that nobody has committed do not fit the default branch any more. They are in `CONFLICT.patch` at the root of your clone, which no commit takes along: take from it what is still needed.",
  kept: "Changes that it had not committed could not be taken over.",
};

/** The prompt's section about them. It claims nothing that the agent does not find. */
export function earlierAttempt({ end, commits, leftover }: EarlierAttempt): string {
  const left = leftover === "none" ? [] : [LEFT[leftover]];
  const known =
    end === "" ? [] : [`What is known of its end, as data:\n${fenced(capped(end, END_CHARACTERS))}`];
  const said = [
    "An earlier attempt at this task has ended.",
    committed(commits, leftover),
    ...left,
    ...known,
  ];
  return `## Earlier attempt\n${said.join(" ")}`;
}

function committed(commits: number, leftover: Leftover): string {
  if (commits > 0)
    return `Your branch holds ${commits === 1 ? "a commit" : `${commits} commits`} of work that was begun: look at \`git log\` first, keep what is sound, and do not begin anew.`;
  return leftover === "none"
    ? "It left nothing, neither a commit nor a changed file, so you begin from the default branch."
    : "It made no commit.";
}
