import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseBeadId } from "../../../core/model/bead.js";
import { clonePaths } from "../exec/project-paths.js";
import { readRefFiles } from "../exec/ref-files.js";
import type { Remote } from "../remote/remote.js";
import { askRemote } from "../remote/remote-refs.js";

interface ListedClone {
  readonly bead: string;
  readonly state: "ready" | "unfinished";
  /** When its record last changed, in ms: prepared, or begun to be. */
  readonly preparedAt: number;
}

interface BeadRef {
  readonly bead: string;
  readonly ref: string;
  readonly sha: string;
}

export interface ClonesListing {
  readonly clones: readonly ListedClone[];
  /** `agent/<bead>`, kept earlier tips and what was to land, in `repo.git`. */
  readonly refs: readonly BeadRef[];
  /** Saved work on the remote. */
  readonly wip: readonly BeadRef[];
  /** Old clones that could only be kept whole. */
  readonly kept: readonly string[];
}

/** Clones, branches and saved work of a project, whatever made them. */
export async function listClones(
  projectHome: string,
  remote: Remote,
  state: (bead: string) => Promise<"absent" | "ready" | "unfinished">,
): Promise<ClonesListing> {
  const folders = [join(projectHome, "clones"), join(projectHome, "making")];
  const names = new Set((await Promise.all(folders.map(entries))).flat());
  const refs = await readRefFiles(join(projectHome, "repo.git"), [
    ...["refs/heads/agent", "refs/koryph/old", "refs/koryph/candidate"],
  ]);
  const listed = async (bead: string): Promise<ListedClone> => {
    const paths = clonePaths(projectHome, bead);
    const { mtimeMs } = await stat(paths.record).catch(() => stat(dirname(paths.clone)));
    return { bead, state: (await state(bead)) === "ready" ? "ready" : "unfinished", preparedAt: mtimeMs };
  };
  return {
    clones: await Promise.all([...names].filter(isBead).map(listed)),
    refs: refs.flatMap(ofBead),
    wip: [...(await askRemote(remote, ["refs/koryph/wip/*"])).tips].flatMap(([ref, sha]) =>
      ofBead({ ref, sha }),
    ),
    kept: (await entries(join(projectHome, "kept"))).map((name) => join(projectHome, "kept", name)),
  };
}

async function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function isBead(name: string): boolean {
  return parseBeadId(name) !== null;
}

/** The bead is the part of the ref that follows its kind. */
function ofBead({ ref, sha }: { readonly ref: string; readonly sha: string }): BeadRef[] {
  const bead = /^refs\/(?:heads\/agent|koryph\/(?:old|wip|candidate))\/([^/]+)/.exec(ref)?.[1];
  return bead === undefined || !isBead(bead) ? [] : [{ bead, ref, sha }];
}
