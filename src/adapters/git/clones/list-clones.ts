import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseBeadId } from "../../../core/model/bead.js";
import { askRemote } from "../exec/fetch-remote.js";
import { clonePaths } from "../exec/project-paths.js";
import { quietOutput } from "../exec/quiet-git.js";
import type { Remote } from "../exec/remote.js";

interface ListedClone {
  readonly bead: string;
  readonly state: "ready" | "unfinished";
  /** When its record last changed, in ms: prepared, or begun to be. */
  readonly preparedAt: number;
}

interface ListedRef {
  readonly bead: string;
  readonly ref: string;
  readonly sha: string;
}

export interface ClonesListing {
  readonly clones: readonly ListedClone[];
  /** `agent/<bead>`, kept earlier tips and what was to land, in `repo.git`. */
  readonly refs: readonly ListedRef[];
  /** Saved work on the remote. */
  readonly wip: readonly ListedRef[];
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
  const listing = await quietOutput(join(projectHome, "repo.git"), [
    "for-each-ref",
    "--format=%(objectname)\t%(refname)",
    ...["refs/heads/agent", "refs/koryph/old", "refs/koryph/candidate"],
  ]);
  const listed = async (bead: string): Promise<ListedClone> => {
    const paths = clonePaths(projectHome, bead);
    const { mtimeMs } = await stat(paths.record).catch(() => stat(dirname(paths.clone)));
    return { bead, state: (await state(bead)) === "ready" ? "ready" : "unfinished", preparedAt: mtimeMs };
  };
  return {
    clones: await Promise.all([...names].filter(isBead).map(listed)),
    refs: listedRefs(listing),
    wip: listedRefs(await askRemote(remote, ["refs/koryph/wip/*"])),
    kept: (await entries(join(projectHome, "kept"))).map((name) => join(projectHome, "kept", name)),
  };
}

async function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function isBead(name: string): boolean {
  return parseBeadId(name) !== null;
}

/** Lines of `<commit><tab><ref>`; the bead is the part of the ref that follows its kind. */
function listedRefs(listing: string): ListedRef[] {
  return listing.split("\n").flatMap((line) => {
    const [sha = "", ref = ""] = line.split("\t");
    const bead = /^refs\/(?:heads\/agent|koryph\/(?:old|wip|candidate))\/([^/]+)/.exec(ref)?.[1];
    return bead === undefined || !isBead(bead) ? [] : [{ bead, ref, sha }];
  });
}
