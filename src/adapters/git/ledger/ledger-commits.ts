import { writeObject } from "./ledger-object.js";
import { EMPTY_TREE, ledgerGit, streamLedgerGit } from "./ledger-repository.js";

export interface ChainCommit {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** The body's lines: one event each, or whatever somebody pushed. */
  readonly lines: readonly string[];
}

const WHO = { name: "koryph", email: "koryph@localhost" };

/**
 * Writes a commit that nothing points to yet: what `git commit-tree` would write, byte for byte, without the cost
 * of a process for each append. Whether the parent is still there shows when a ref is moved to it.
 */
export async function writeLedgerCommit(
  gitDir: string,
  { parent, subject, lines, at }: CommitDraft,
): Promise<string> {
  const who = `${WHO.name} <${WHO.email}> ${Math.floor(at / 1000)} +0000`;
  const head = [
    `tree ${EMPTY_TREE}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${who}`,
    `committer ${who}`,
  ];
  return writeObject(gitDir, "commit", `${head.join("\n")}\n\n${subject}\n\n${lines.join("\n")}\n`);
}

export interface CommitDraft {
  readonly parent: string | null;
  readonly subject: string;
  readonly lines: readonly string[];
  readonly at: number;
}

/**
 * The commits of a chain, oldest first, many at a time. Only first parents count: history brought in by a
 * merge is not the ledger's, and a tip that has ours as second parent does not follow from it.
 */
export async function* readLedgerCommits(
  gitDir: string,
  revisions: readonly string[],
): AsyncGenerator<ChainCommit[], void, undefined> {
  const args = ["log", "-z", "--reverse", "--first-parent", "--no-show-signature", "--no-color"];
  const text = streamLedgerGit(gitDir, [...args, "--format=%H %T %P%n%B", ...revisions, "--"]);
  let unfinished: string[] = [];
  for await (const piece of text) {
    // A commit message cannot hold the zero byte that ends each record.
    const end = piece.lastIndexOf("\0");
    if (end >= 0) {
      yield [...unfinished, piece.slice(0, end)].join("").split("\0").map(readRecord);
      unfinished = [];
    }
    unfinished.push(piece.slice(end + 1));
  }
  const last = unfinished.join("");
  if (last !== "") yield [readRecord(last)];
}

function readRecord(record: string): ChainCommit {
  const head = record.indexOf("\n");
  const [commit = "", tree = "", ...parents] = (head < 0 ? record : record.slice(0, head)).split(" ");
  const message = head < 0 ? "" : record.slice(head + 1);
  const body = message.indexOf("\n\n");
  return {
    commit,
    tree,
    parents: parents.filter((parent) => parent !== ""),
    lines:
      body < 0
        ? []
        : message
            .slice(body + 2)
            .split("\n")
            .filter((line) => line !== ""),
  };
}

/** The first commit of the chain that ends in `tip`. */
export async function firstCommit(gitDir: string, tip: string): Promise<ChainCommit> {
  for await (const commits of readLedgerCommits(gitDir, ["--max-parents=0", tip]))
    if (commits[0] !== undefined) return commits[0];
  throw new Error(`${tip} has no first commit`);
}

/** False when it was pruned, as the commits of a purged chain are. No commit at all is always there. */
export async function hasCommit(gitDir: string, commit: string | null): Promise<boolean> {
  return commit === null || (await objectKind(gitDir, commit)) === "commit";
}

/** `commit`, `tag`, `tree` or `blob`; null when there is no such object here. */
export async function objectKind(gitDir: string, object: string): Promise<string | null> {
  const { code, stdout } = await ledgerGit(gitDir, ["cat-file", "-t", object]);
  return code === 0 ? stdout.trim() : null;
}
