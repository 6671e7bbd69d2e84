import { emailOwner } from "../sign/emails.js";
import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { type GitRun, gitBytes } from "./world-git.js";

interface Person {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
  /** Empty when it is not signed. */
  readonly signature: string;
  /** The commit without its signature: what was signed. */
  readonly payload: string;
}

/** Commits in the order asked for, read as they are stored. */
export async function readStoredCommits(
  repository: Repository,
  shas: readonly string[],
  env?: GitRun["env"],
): Promise<Commit[]> {
  if (shas.length === 0) return [];
  const input = `${shas.join("\n")}\n`;
  const bytes = await gitBytes(repository, ["cat-file", "--batch"], { input, env });
  const commits: Commit[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf(10, at);
    const [sha = "", kind, size] = bytes.subarray(at, lineEnd).toString().split(" ");
    if (kind !== "commit") throw new Error(`${sha} is not a commit`);
    const end = lineEnd + 1 + Number(size);
    commits.push(parseCommit(sha, bytes.subarray(lineEnd + 1, end).toString()));
    at = end + 1;
  }
  return commits;
}

/** Hashes of what rev-list lists. */
export async function listShas(
  world: World,
  repository: Repository,
  args: readonly string[],
): Promise<string[]> {
  return (await world.git(repository, ["rev-list", ...args])).split("\n").filter((line) => line !== "");
}

function parseCommit(sha: string, raw: string): Commit {
  const split = raw.indexOf("\n\n");
  // A header goes on where a line starts with a space.
  const headers = raw.slice(0, split).split(/\n(?! )/);
  const values = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  return {
    sha,
    tree: values("tree")[0] ?? "",
    parents: values("parent"),
    author: parsePerson(values("author")[0] ?? ""),
    committer: parsePerson(values("committer")[0] ?? ""),
    message: raw.slice(split + 2).replace(/\n$/, ""),
    signature: (values("gpgsig")[0] ?? "").replaceAll("\n ", "\n"),
    payload: headers.filter((line) => !line.startsWith("gpgsig ")).join("\n") + raw.slice(split),
  };
}

function parsePerson(text: string): Person {
  const [, name = "", email = "", seconds = "0"] = /^(.*) <(.*)> (\d+) [+-]\d{4}$/.exec(text) ?? [];
  return { name, email, date: `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z` };
}

/** Whose commits carry this address; null for one that belongs to nobody here, or that they have not shown to be theirs. */
export function loginOf(world: World, email: string): string | null {
  const owner = emailOwner(world, email);
  return owner?.verified ? owner.user.login : null;
}

/** The address commits of this login carry. */
export function emailOf(world: World, login: string): string {
  return `${world.user(login)?.id ?? 0}+${login}@users.noreply.github.com`;
}
