import { LRUCache } from "lru-cache";
import { COMMIT_LINE, type FoundSecret, MESSAGE_INDENT, SecretScan } from "../../../core/land/secret-scan.js";
import type { Candidate } from "../../../ports/repo.js";
import { streamGit } from "../exec/run-git.js";
import { ALONE } from "./read-range-text.js";

const LOG = [
  ...["-c", "core.quotePath=false", "log", "--patch", "--unified=0", "--no-color", "--no-renames"],
  ...["--no-ext-diff", "--no-textconv", "--no-prefix", "--diff-merges=first-parent", "--submodule=short"],
  `--format=${COMMIT_LINE}%H%n%w(0,${MESSAGE_INDENT.length},${MESSAGE_INDENT.length})%B`,
];

/** More text than anybody reads. Binary files are not in it. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** What stands in one line is looked at in pieces from there on, each with the end of the one before. */
const LONGEST_LINE = 1024 * 1024;
const OVERLAP = 1024;

export type SecretsFound = readonly FoundSecret[] | "too-much";

/** Commits do not change, and a landing looks at them before each of its steps. */
const known = new LRUCache<string, SecretsFound>({ max: 64 });

/** The secrets that the commits of a range add. Both ends are hashes. */
export async function findSecrets(repo: string, { base, head }: Candidate): Promise<SecretsFound> {
  if (base === head) return [];
  const key = [repo, base, head].join("\0");
  const found = known.get(key) ?? (await readSecrets(repo, `${base}..${head}`));
  known.set(key, found);
  return found;
}

async function readSecrets(repo: string, range: string): Promise<SecretsFound> {
  const scan = new SecretScan();
  let rest = "";
  let length = 0;
  for await (const piece of streamGit(repo, [...LOG, range, "--"], { env: { ...ALONE, GIT_DIR: repo } })) {
    length += piece.length;
    if (length > MOST_CHARACTERS) return "too-much";
    const lines = `${rest}${piece}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) scan.read(line);
    if (rest.length > LONGEST_LINE) {
      scan.read(rest);
      rest = rest.slice(0, 1) + rest.slice(-OVERLAP);
    }
  }
  scan.read(rest);
  return scan.found;
}
