import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CONFLICT_FILE, CONFLICT_PATCH } from "../../core/replies/worktrees.js";
import { removeFolder } from "./remove-folder.js";
import { runGit } from "./run-git.js";

/** What the engine itself leaves in a clone, beside the agent's work. */
export const NOT_WORK = [CONFLICT_FILE, CONFLICT_PATCH].map((name) => `/${name}\n`).join("");

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** Makes `repo.git` if it is missing, and puts its configuration back to what koryph relies on. */
export async function openRepo(repo: string, identity: Identity): Promise<void> {
  const wanted = repoConfig(identity);
  const config = join(repo, "config");
  const found = await readFile(config, "utf8").catch(() => null);
  if (found === wanted) return;
  if (found === null) {
    const making = `${repo}.making`;
    await removeFolder(making);
    await mkdir(dirname(repo), { recursive: true });
    const env = { GIT_DEFAULT_REF_FORMAT: "files", GIT_DEFAULT_HASH: "sha1" };
    const made = await runGit(dirname(repo), ["init", "--quiet", "--bare", "--template=", making], { env });
    if (made.code !== 0) throw new Error(`cannot make ${making}: ${made.stderr.trim()}`);
    await mkdir(join(making, "info"), { recursive: true });
    await writeFile(join(making, "info", "exclude"), NOT_WORK);
    await writeFile(join(making, "config"), wanted);
    await rename(making, repo);
    return;
  }
  await writeFile(`${config}.new`, wanted);
  await rename(`${config}.new`, config);
}

/**
 * Clones borrow their objects from this repository, so nothing in it is ever pruned behind their backs.
 * Nobody pushes into it, and whoever fetches from it sees the default branch and the tags only.
 */
function repoConfig({ name, email }: Identity): string {
  return `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = always
\thooksPath = /dev/null
\tfsmonitor = false
\tuntrackedCache = false
\tattributesFile = /dev/null
\texcludesFile = /dev/null
[user]
\tname = ${quoted(name)}
\temail = ${quoted(email)}
[transfer]
\tfsckObjects = true
\thideRefs = refs/heads
\thideRefs = refs/koryph
[receive]
\thideRefs = refs
[fetch]
\trecurseSubmodules = false
\twriteCommitGraph = false
[push]
\tfollowTags = false
\tgpgSign = false
\trecurseSubmodules = no
[submodule]
\trecurse = false
[commit]
\tgpgSign = false
[gc]
\tauto = 0
\tpruneExpire = never
\treflogExpire = never
\treflogExpireUnreachable = never
[maintenance]
\tauto = false
[rerere]
\tenabled = false
`;
}

/** A value as git's configuration files want it. */
export function quoted(value: string): string {
  const escaped = value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t");
  return `"${escaped.replace(/[\u0000-\u001f]/g, " ")}"`;
}
