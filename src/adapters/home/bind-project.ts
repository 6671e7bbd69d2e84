import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PLAINLY } from "../../core/model/plainly.js";
import { withoutCredentials } from "../../core/redact.js";
import { homeAdvice } from "../../core/replies/config/home.js";
import { projectAdvice } from "../../core/replies/config/project.js";
import { UserError } from "../../lib/user-error.js";
import { writeAtomically } from "../files/write-atomically.js";
import { type KoryphHome, makeFolder } from "./koryph-home.js";
import { Registry, stillHas } from "./registry.js";

/** The repository that a project's state on this machine is about. */
const Binding = z.object({ root: z.string(), remote: z.string().nullable() });
type Binding = z.infer<typeof Binding>;

interface Bound {
  readonly id: string;
  readonly root: string;
  readonly remote: string;
}

/**
 * Opens the project's home for this repository, and for no other while the first one has the id: copies and clones
 * of one would be taken for the other's. The same remote is the same repository, wherever it is checked out. Kept in
 * the home itself, because `koryph project remove` forgets the entry and keeps the state.
 */
export async function bindProject(home: KoryphHome, { id, root, remote }: Bound): Promise<string> {
  const here = { root: await realpath(root), remote: withoutCredentials(remote) };
  const folder = home.projectHome(id);
  const path = join(folder, "repository.json");
  const bound = await readBinding(path);
  for (const other of [await new Registry(home).find(id), bound]) {
    if (other === null || sameRepository(other, here)) continue;
    if (await stillHas(other.root, id)) throw UserError.of(projectAdvice.taken(id, other.root, folder));
  }
  await makeFolder(folder);
  if (bound === null || !(await stillHolds(bound, here, id)))
    await writeAtomically(path, `${JSON.stringify(here)}\n`).catch(cannotKeep(folder));
  return folder;
}

function cannotKeep(folder: string): (error: NodeJS.ErrnoException) => never {
  return ({ code, message }) => {
    const full = code === "ENOSPC" || code === "EDQUOT";
    throw UserError.of(full ? homeAdvice.full(folder) : homeAdvice.unwritable(folder, message));
  };
}

function sameRepository(one: Binding, other: Binding): boolean {
  return one.root === other.root || one.remote === other.remote;
}

/** Several checkouts of one remote leave it at the first. */
async function stillHolds(bound: Binding, here: Binding, id: string): Promise<boolean> {
  if (bound.root === here.root) return bound.remote === here.remote;
  return bound.remote === here.remote && (await stillHas(bound.root, id));
}

/** Null also when it cannot be understood: the state is as good as before it was bound. */
async function readBinding(path: string): Promise<Binding | null> {
  try {
    return Binding.parse(JSON.parse(await readFile(path, "utf8")), PLAINLY);
  } catch {
    return null;
  }
}
