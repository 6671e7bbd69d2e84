import { createHash } from "node:crypto";
import { objectContents } from "./object-contents.js";

/** A commit as it is stored; its bytes have its name. */
export interface StoredCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly bytes: Buffer;
}

/** Commits by their hashes; null when one of them cannot be had so, whatever the reason: then ask git about it. */
export async function storedCommits(
  repo: string,
  shas: readonly string[],
): Promise<readonly StoredCommit[] | null> {
  const found = await objectContents(repo, shas);
  const commits = found?.flatMap((object, at) =>
    object?.type === "commit" && nameOf(object.bytes, object.sha.length) === shas[at]
      ? [{ sha: object.sha, parents: parentsIn(object.bytes), bytes: object.bytes }]
      : [],
  );
  return commits?.length === shas.length ? commits : null;
}

function nameOf(bytes: Buffer, length: number): string {
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`commit ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Git writes them right behind the tree, and takes none from anywhere else. */
function parentsIn(bytes: Buffer): string[] {
  const head = /^tree [0-9a-f]+\n((?:parent [0-9a-f]+\n)*)/.exec(bytes.toString("latin1"));
  return [...(head?.[1] ?? "").matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = ""]) => parent);
}

/** More than beads have, and as many questions as take no longer than the process that they spare. */
const NEAR = 32;

/**
 * The commits of `base..head`, oldest first, where they are a line of few commits from the one to the other; null where
 * they are not, or cannot be read. Both are hashes.
 */
export async function lineOfCommits(
  repo: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<readonly StoredCommit[] | null> {
  const line: StoredCommit[] = [];
  for (let next = head; next !== base; ) {
    const [commit] = (line.length < NEAR && (await storedCommits(repo, [next]))) || [];
    const [parent, ...others] = commit?.parents ?? [];
    if (commit === undefined || parent === undefined || others.length > 0) return null;
    line.push(commit);
    next = parent;
  }
  return line.reverse();
}

/**
 * Whether `commit` has `ancestor` in its history, where few commits lie between the two and where they part; null where
 * that is further away, or something cannot be read.
 */
export async function followsNearby(repo: string, ancestor: string, commit: string): Promise<boolean | null> {
  const above = new Set([commit]);
  // What lies below `ancestor` cannot have it in its own history: nothing there needs to be looked at.
  const below = new Set<string>();
  let [open, others] = [[commit], [ancestor]];
  for (let steps = 0; steps < NEAR && above.size < 4 * NEAR; steps += 1) {
    if (above.has(ancestor)) return true;
    open = open.filter((sha) => !below.has(sha));
    if (open.length === 0) return false;
    const read = await storedCommits(repo, [...open, ...others]);
    if (read === null) return null;
    const parents = (commits: readonly StoredCommit[], seen: Set<string>) => {
      const fresh = [...new Set(commits.flatMap((each) => each.parents))].filter((sha) => !seen.has(sha));
      for (const sha of fresh) seen.add(sha);
      return fresh;
    };
    const mine = read.slice(0, open.length);
    others = parents(read.slice(open.length), below);
    open = parents(mine, above);
  }
  return null;
}
