import { gitEnvironment } from "./git-environment.js";
import { quietEnvironment, quietOutput } from "./quiet-git.js";
import { askStanding } from "./standing-git.js";

export interface ObjectFacts {
  readonly sha: string;
  readonly type: string;
  readonly size: number;
}

const CHECK = ["cat-file", "--batch-check"];

/**
 * What objects of one of koryph's own repositories are, in the order asked for; null for one that is not there. Names are
 * hashes, also with `^{commit}`, `^{tree}` or a path behind them; no path holds a line break.
 */
export async function describeObjects(
  repo: string,
  names: readonly string[],
): Promise<(ObjectFacts | null)[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\n`).join("");
  const facts = { gitDir: repo, args: CHECK, env: () => gitEnvironment(quietEnvironment(repo)) };
  const lines =
    (await askStanding(facts, input, (heard) => takeLines(heard, names.length))) ??
    (await quietOutput(repo, CHECK, { input })).split("\n").slice(0, -1);
  return lines.map(objectIn);
}

function takeLines(heard: string, count: number) {
  let end = -1;
  for (let left = count; left > 0; left -= 1) {
    end = heard.indexOf("\n", end + 1);
    if (end === -1) return null;
  }
  return { answer: heard.slice(0, end).split("\n"), rest: heard.slice(end + 1) };
}

/** Git says `<name> missing`, or that a short hash has several meanings. */
function objectIn(line: string): ObjectFacts | null {
  const [, sha, type = "", size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
  return sha === undefined ? null : { sha, type, size: Number(size) };
}

/** Whether a commit is there. */
export async function hasCommitObject(repo: string, sha: string): Promise<boolean> {
  const [found] = await describeObjects(repo, [`${sha}^{commit}`]);
  return found !== null;
}
