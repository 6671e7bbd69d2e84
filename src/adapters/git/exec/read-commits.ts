import { createHash } from "node:crypto";
import type { Candidate } from "../../../ports/repo.js";
import { quietOutput } from "./quiet-git.js";

/** A commit's own words, as they stand in it. */
export interface WholeCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Stamp;
  readonly committer: Stamp;
  /** Empty for UTF-8. */
  readonly encoding: string;
  readonly message: string;
  /**
   * There is nothing in the commit beyond these fields, no signature above all, and nothing was lost in reading
   * them: put together again they have the commit's own name.
   */
  readonly complete: boolean;
}

export interface Stamp {
  readonly name: string;
  readonly email: string;
  /** `<seconds> <zone>`. */
  readonly date: string;
}

const FIELDS = ["%H", "%T", "%P", "%an", "%ae", "%ad", "%cn", "%ce", "%cd", "%e", "%B"];
const LOG = [
  ...["log", "-z", "--topo-order", "--reverse", "--no-patch", "--encoding=none", "--date=raw"],
  `--format=${FIELDS.join("%x00")}`,
];

/** Oldest first; null when there is more than can be held. */
export async function readCommits(
  repo: string,
  { base, head }: Candidate,
): Promise<readonly WholeCommit[] | null> {
  let text: string;
  try {
    text = await quietOutput(repo, [...LOG, `${base}..${head}`, "--"]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return null;
    throw error;
  }
  const fields = text.split("\0");
  const commits: WholeCommit[] = [];
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    commits.push(commitOf(fields.slice(at, at + FIELDS.length)));
  }
  return commits;
}

function commitOf(fields: readonly string[]): WholeCommit {
  const [sha = "", tree = "", parents = "", an = "", ae = "", ad = "", cn = "", ce = "", cd = ""] = fields;
  const commit = {
    sha,
    tree,
    parents: parents.split(" ").filter((parent) => parent !== ""),
    author: { name: an, email: ae, date: ad },
    committer: { name: cn, email: ce, date: cd },
    encoding: fields[9] ?? "",
    message: fields[10] ?? "",
  };
  return { ...commit, complete: nameOf(commit, sha.length) === sha };
}

function nameOf(commit: Omit<WholeCommit, "complete">, length: number): string {
  const stamp = ({ name, email, date }: Stamp) => `${name} <${email}> ${date}`;
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${stamp(commit.author)}`,
    `committer ${stamp(commit.committer)}`,
    ...(commit.encoding === "" ? [] : [`encoding ${commit.encoding}`]),
  ];
  const body = Buffer.from(`${lines.join("\n")}\n\n${commit.message}`);
  return createHash(length === 64 ? "sha256" : "sha1")
    .update(`commit ${body.length}\0`)
    .update(body)
    .digest("hex");
}
