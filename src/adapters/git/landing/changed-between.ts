import type { Candidate } from "../../../ports/repo.js";
import { describeObjects } from "../exec/describe-objects.js";
import { quietOutput } from "../exec/quiet-git.js";

/** The paths that differ between the two ends of each range, both names of a renamed file; null where an end is not here. */
export async function changedBetween(
  repo: string,
  ranges: readonly Candidate[],
): Promise<(readonly string[] | null)[]> {
  const names = ranges.flatMap(({ base, head }) => [`${base}^{tree}`, `${head}^{tree}`]);
  const trees = await describeObjects(repo, names);
  const pairs = ranges.map((_, at) => {
    const [before, after] = [trees[2 * at], trees[2 * at + 1]];
    return before && after ? `${before.sha} ${after.sha}` : null;
  });
  const input = [...new Set(pairs.flatMap((pair) => pair ?? []))].map((pair) => `${pair}\n`).join("");
  const args = ["diff-tree", "--stdin", "-r", "-z", "--name-only", "--no-renames"];
  const changed = pathsByPair(input === "" ? "" : await quietOutput(repo, args, { input }));
  return pairs.map((pair) => (pair === null ? null : (changed.get(pair) ?? [])));
}

/** Each pair stands in a line of its own before its paths. A path may hold a line break, but no pair in front of one. */
function pathsByPair(output: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let paths: string[] = [];
  for (const field of output.split("\0")) {
    const pair = /^([0-9a-f]{40,64} [0-9a-f]{40,64})\n/.exec(field);
    if (pair !== null) {
      paths = [];
      found.set(pair[1] ?? "", paths);
    }
    const path = pair === null ? field : field.slice(pair[0].length);
    if (path !== "") paths.push(path);
  }
  return found;
}
