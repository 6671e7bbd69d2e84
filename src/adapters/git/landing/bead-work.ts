import type { Candidate } from "../../../ports/repo.js";
import { runGit } from "../exec/run-git.js";
import { type RangeText, readRangeText } from "./read-range-text.js";

export interface BeadWork extends RangeText {
  /** Oldest first. */
  readonly commits: readonly { readonly sha: string; readonly subject: string }[];
}

const MOST_COMMITS = 1_000;

/** What a bead has come to, read from the engine's own repository; null when its commits are not on this machine. */
export async function readBeadWork(
  repository: string,
  range: Candidate,
  mostCharacters: number,
): Promise<BeadWork | null> {
  const { base, head } = range;
  const log = ["log", "-z", "--reverse", `--max-count=${MOST_COMMITS}`, "--format=%H %s"];
  const answer = await runGit(repository, [...log, "--end-of-options", `${base}..${head}`, "--"]).catch(
    () => null,
  );
  if (answer === null || answer.code !== 0) return null;
  const commits = answer.stdout
    .split("\0")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ sha: line.slice(0, line.indexOf(" ")), subject: line.slice(line.indexOf(" ") + 1) }));
  const text = await readRangeText(repository, range, mostCharacters).catch(() => null);
  return text && { commits, ...text };
}
