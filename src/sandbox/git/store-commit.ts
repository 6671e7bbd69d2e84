import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { tryGit } from "./world-git.js";

interface Signatory {
  readonly name: string;
  readonly email: string;
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signatory & { readonly date?: string };
  readonly committer: Signatory;
  readonly message: string;
  /** Makes the signature of what is to be signed; without it there is none. */
  readonly sign?: (text: string) => string;
}

/** A commit that no ref holds yet. */
export async function storeCommit(world: World, repository: Repository, made: NewCommit): Promise<string> {
  const now = Math.floor(world.now() / 1000);
  const person = ({ name, email }: Signatory, seconds: number) => `${name} <${email}> ${seconds} +0000`;
  const { author } = made;
  const authored = author.date === undefined ? now : Math.floor(Date.parse(author.date) / 1000);
  const headers = [
    `tree ${made.tree}`,
    ...made.parents.map((sha) => `parent ${sha}`),
    `author ${person(author, authored)}`,
    `committer ${person(made.committer, now)}`,
  ];
  const rest = `\n\n${made.message.replace(/\n*$/, "\n")}`;
  const signature = made.sign?.(headers.join("\n") + rest);
  const signed = signature === undefined ? [] : [`gpgsig ${signature.replaceAll("\n", "\n ")}`];
  const text = [...headers, ...signed].join("\n") + rest;
  return (await world.git(repository, ["hash-object", "-t", "commit", "-w", "--stdin"], text)).trim();
}

/** The tree in which two commits are merged; null where they conflict. */
export async function mergedTree(
  { gitDir }: Repository,
  [ours, theirs]: readonly [string, string],
): Promise<string | null> {
  const { code, stdout } = await tryGit(gitDir, [
    "merge-tree",
    "--write-tree",
    "--no-messages",
    ours,
    theirs,
  ]);
  return code === 0 ? (stdout.toString().split("\n")[0] ?? null) : null;
}
