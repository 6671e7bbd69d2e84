import { mkdirSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CONFLICT_FILE, CONFLICT_PATCH } from "../../../core/replies/run/worktrees.js";
import { removeFolder } from "../../files/remove-folder.js";
import { writeAtomically } from "../../files/write-atomically.js";
import { isThere } from "../clones/save-old-work.js";
import { runGit } from "./run-git.js";

/** Making one takes far less. */
const DRAFT_OLD_MS = 600_000;

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
  if (found === null) return makeRepo(repo, wanted);
  // Without these git takes the folder for no repository at all, whatever else is in it.
  for (const folder of ["objects", "refs"]) mkdirSync(join(repo, folder), { recursive: true });
  if (!(await isThere(join(repo, "HEAD"))))
    await writeAtomically(join(repo, "HEAD"), "ref: refs/heads/main\n");
  if (found !== wanted) await writeAtomically(config, wanted);
}

/** Made beside and moved in. Several may do so at once: of a project's first commands each finds nothing there. */
async function makeRepo(repo: string, config: string): Promise<void> {
  await mkdir(dirname(repo), { recursive: true });
  await removeOldDrafts(repo);
  const making = await mkdtemp(`${repo}.making-`);
  try {
    const env = { GIT_DEFAULT_REF_FORMAT: "files", GIT_DEFAULT_HASH: "sha1" };
    const made = await runGit(dirname(repo), ["init", "--quiet", "--bare", "--template=", making], { env });
    if (made.code !== 0) throw new Error(`cannot make ${making}: ${made.stderr.trim()}`);
    await mkdir(join(making, "info"), { recursive: true });
    await writeFile(join(making, "info", "exclude"), NOT_WORK);
    await writeFile(join(making, "config"), config);
    await rename(making, repo);
  } catch (error) {
    // Another process was faster: its repository is as good as ours.
    if (!(await isThere(join(repo, "config")))) throw error;
  } finally {
    await removeFolder(making);
  }
}

/** What processes left that were killed while they made one. */
async function removeOldDrafts(repo: string): Promise<void> {
  const folder = dirname(repo);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(repo)}.making`)) continue;
    const made = await stat(join(folder, name)).catch(() => null);
    if (made !== null && Date.now() - made.mtimeMs > DRAFT_OLD_MS) await removeFolder(join(folder, name));
  }
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
