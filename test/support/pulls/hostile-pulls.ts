import { execFileSync } from "node:child_process";
import { type AppWorld, REPOSITORY } from "../app/app-world.js";
import { bareGit, bareGitWith } from "../core/ledgers.js";
import type { HostileFile } from "./hostile-files.js";

interface Folder {
  readonly files: Map<string, { readonly name: Buffer; readonly mode: string; readonly sha: string }>;
  readonly folders: Map<string, { readonly name: Buffer; readonly folder: Folder }>;
}

/** A tree with any names at all: no checkout and no index has to take them. */
function writeTree(gitDir: string, base: string, added: readonly HostileFile[]): string {
  const root: Folder = { files: new Map(), folders: new Map() };
  for (const { path, mode = "100644", text = "red\n" } of added) {
    const bytes = Buffer.isBuffer(path) ? path : Buffer.from(path);
    const sha = mode === "160000" ? base : bareGitWith(text, gitDir, "hash-object", "-w", "--stdin").trim();
    put(root, bytes, { mode, sha });
  }
  return write(gitDir, root, `${base}^{tree}`);
}

function put(folder: Folder, path: Buffer, file: { readonly mode: string; readonly sha: string }): void {
  const slash = path.indexOf("/");
  const name = slash < 0 ? path : path.subarray(0, slash);
  const key = name.toString("hex");
  if (slash < 0) {
    folder.files.set(key, { name, ...file });
    return;
  }
  const below = folder.folders.get(key) ?? { name, folder: { files: new Map(), folders: new Map() } };
  folder.folders.set(key, below);
  put(below.folder, path.subarray(slash + 1), file);
}

function write(gitDir: string, { files, folders }: Folder, base: string | null): string {
  const own = [...files.values()].map(({ name, mode, sha }) => entry(mode, sha, name));
  for (const { name, folder } of folders.values())
    own.push(entry("040000", write(gitDir, folder, null), name));
  const before = base === null ? "" : bareGit(gitDir, "ls-tree", "-z", base);
  const input = Buffer.concat([Buffer.from(before), ...own]);
  const args = ["mktree", "-z", "--missing"];
  return execFileSync("git", args, { cwd: gitDir, input, encoding: "utf8" }).trim();
}

function entry(mode: string, sha: string, name: Buffer): Buffer {
  const type = { "040000": "tree", "160000": "commit" }[mode] ?? "blob";
  return Buffer.concat([Buffer.from(`${mode} ${type} ${sha}\t`), name, Buffer.from("\0")]);
}

export interface HostileChange {
  readonly branch: string;
  readonly files: readonly HostileFile[];
  readonly message?: string;
  readonly title?: string;
  readonly into?: string;
}

/** A pull request of ann's, whose one commit has been there for a while. */
export async function opensHostile(
  world: AppWorld,
  { branch, files, message = "feat: shoes", title = "Shoes", into = "main" }: HostileChange,
): Promise<{ readonly pull: number; readonly head: string }> {
  world.sandbox.addUser("ann");
  const { gitDir } = world.repository;
  const base = bareGit(gitDir, "rev-parse", `refs/heads/${into}`).trim();
  const by = ["-c", "user.name=ann", "-c", "user.email=ann@users.noreply.github.com"];
  const tree = writeTree(gitDir, base, files);
  const head = bareGitWith(message, gitDir, ...by, "commit-tree", tree, "-p", base, "-F", "-").trim();
  bareGit(gitDir, "update-ref", `refs/heads/${branch}`, head);
  const { number } = await world.sandbox.openPull(REPOSITORY, {
    author: "ann",
    head: branch,
    title,
    base: into,
  });
  world.clock.pass(60);
  return { pull: number, head };
}
