import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../../files/remove-folder.js";
import { copyObjects, openIncoming } from "../exec/copy-objects.js";
import type { ClonePaths } from "../exec/project-paths.js";
import { quietGit } from "../exec/quiet-git.js";
import { readBranch } from "./read-branch.js";

export type Imported =
  | { readonly kind: "imported"; readonly tip: string }
  /** `repo.git` is as it was. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * Brings the bead's branch from the agent's clone into `repo.git`, and nothing else. The clone is read as
 * files: git itself sees only a repository of the engine's own that those files were copied into, so no
 * configuration, hook, link, alternate or graph of the agent's has a say. What was there before an agent
 * rewound its branch stays in the reflog.
 */
export async function importBranch(paths: ClonePaths, known: string | null): Promise<Imported> {
  const reading = await readBranch(paths);
  if (reading.kind === "unusable") return { kind: "refused", why: reading.why };
  if (reading.sha === known) return { kind: "imported", tip: reading.sha };
  const objects = join(reading.gitFolder, "objects");
  const problem = (await take(paths, reading.sha, objects)) && (await takeAnew(paths, reading.sha, objects));
  return problem === null ? { kind: "imported", tip: reading.sha } : { kind: "refused", why: problem };
}

/** A copy made in an unlucky moment, before a crash or during the agent's own repack, is not kept. */
async function takeAnew(paths: ClonePaths, sha: string, objects: string): Promise<string | null> {
  await removeFolder(paths.incoming);
  const problem = await take(paths, sha, objects);
  if (problem !== null) await removeFolder(paths.incoming);
  return problem;
}

/** Null when it worked, else git's reason. */
async function take(paths: ClonePaths, sha: string, objects: string): Promise<string | null> {
  const { incoming, repo, branch } = paths;
  await openIncoming(incoming, repo);
  await copyObjects(objects, incoming);
  await writeFile(join(incoming, branch), `${sha}\n`);
  const answer = await quietGit(repo, [
    "fetch",
    ...["--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules"],
    ...[incoming, `+${branch}:${branch}`],
  ]);
  if (answer.code === 0) return null;
  const lines = answer.stderr.split("\n").filter((line) => /^(error|fatal):/.test(line));
  return lines.join(" ") || answer.stderr || "git gave no reason";
}
