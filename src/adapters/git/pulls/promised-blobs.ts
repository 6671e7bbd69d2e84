import { quietGit, quietOutput } from "../exec/quiet-git.js";

/** So many are asked for at once: a command line that git reads from its input has no limit, a server's patience has. */
const AT_ONCE = 2_000;

/** The blobs of a range, old and new, that the repository was fetched without. */
export async function missingBlobs(repo: string, ranges: readonly string[]): Promise<string[]> {
  const named = new Set<string>();
  for (const range of ranges) {
    const log = ["log", "-z", "--raw", "--no-abbrev", "--no-renames", "-m", "--format=", range, "--"];
    for (const [, before = "", after = ""] of (await quietOutput(repo, log)).matchAll(RAW))
      for (const blob of [before, after]) if (!/^0+$/.test(blob)) named.add(blob);
  }
  if (named.size === 0) return [];
  const input = [...named].map((blob) => `${blob}\n`).join("");
  const listed = await quietGit(repo, ["cat-file", "--batch-check=%(objectname)"], { input });
  // Another fetch is under way, and git would ask the remote for the first one that is not here.
  if (listed.code !== 0) return [...named];
  return [...listed.stdout.matchAll(/^([0-9a-f]{40,64}) missing$/gm)].map(([, blob = ""]) => blob);
}

/** Modes of files and links; a submodule has no blob. */
const RAW = /:(?:0{6}|1[02]\d{4}) (?:0{6}|1[02]\d{4}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [A-Z]/g;

/** In the portions in which they are asked for. */
export function portions(blobs: readonly string[]): string[][] {
  const found: string[][] = [];
  for (let at = 0; at < blobs.length; at += AT_ONCE) found.push(blobs.slice(at, at + AT_ONCE));
  return found;
}
