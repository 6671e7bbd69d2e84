import type { Candidate } from "../../../ports/repo.js";
import { streamGit } from "../exec/run-git.js";

export interface RangeText {
  readonly stat: string;
  readonly diff: string;
}

const DIFF = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--submodule=short"];
// Names in full: of a secret in a name that git cuts, nobody would know that it is one.
const STAT = ["--stat=5000,4096", "--stat-graph-width=40"];

/** The sum of the commits, as a reader wants to see it. Never more is held than is asked for. */
export async function readRangeText(
  repo: string,
  range: Candidate,
  mostCharacters: number,
): Promise<RangeText> {
  const { base, head } = range;
  const [stat, diff] = await Promise.all([
    upTo(mostCharacters, repo, [...DIFF, ...STAT, base, head, "--"]),
    upTo(mostCharacters, repo, [...DIFF, "--patch", base, head, "--"]),
  ]);
  return { stat, diff };
}

/** The operator's own settings stay out of it. */
const ALONE = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  HOME: "/nonexistent",
  XDG_CONFIG_HOME: "/nonexistent",
};

async function upTo(most: number, repo: string, args: readonly string[]): Promise<string> {
  let text = "";
  for await (const piece of streamGit(repo, args, { env: { ...ALONE, GIT_DIR: repo } })) {
    text += piece;
    if (text.length > most) return text.slice(0, most);
  }
  return text;
}
