import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readAgentText } from "../exec/agent-file.js";
import type { ClonePaths } from "../exec/project-paths.js";

export type BranchReading =
  | { readonly kind: "commit"; readonly sha: string; readonly gitFolder: string }
  /** The branch, or the repository it was in, is not what an agent that commits leaves behind. */
  | { readonly kind: "unusable"; readonly why: string };

const LARGEST_PACKED_REFS = 64 * 1024 * 1024;

/** Where the bead's branch stands in the agent's clone, read as plain files: no git runs there. */
export async function readBranch({ clone, branch }: ClonePaths): Promise<BranchReading> {
  const place = join(await realpath(dirname(clone)), basename(clone));
  const gitFolder = join(place, ".git");
  for (const folder of [place, gitFolder, join(gitFolder, "objects")]) {
    const entry = await lstat(folder).catch(() => null);
    if (!entry?.isDirectory()) return unusable(`${folder.slice(place.length + 1) || "it"} is not a folder`);
  }
  const loose = await readAgentText(join(gitFolder, branch), 4096);
  switch (loose) {
    case "strange":
      return unusable(`${branch} is not a plain file`);
    case "absent":
      return fromPacked(gitFolder, branch);
    default: {
      const sha = /^([0-9a-f]{40})\n?$/.exec(loose)?.[1];
      if (sha !== undefined) return { kind: "commit", sha, gitFolder };
      return unusable(loose.startsWith("ref:") ? `${branch} is a symbolic ref` : `${branch} names no commit`);
    }
  }
}

async function fromPacked(gitFolder: string, branch: string): Promise<BranchReading> {
  const packed = await readAgentText(join(gitFolder, "packed-refs"), LARGEST_PACKED_REFS);
  if (packed === "strange") return unusable("packed-refs is not a plain file");
  const line = packed
    .split("\n")
    .find((text) => text.endsWith(` ${branch}`) && text.length === 41 + branch.length);
  const sha = /^[0-9a-f]{40}/.exec(line ?? "")?.[0];
  return sha === undefined ? unusable(`${branch} is gone`) : { kind: "commit", sha, gitFolder };
}

function unusable(why: string): BranchReading {
  return { kind: "unusable", why };
}
