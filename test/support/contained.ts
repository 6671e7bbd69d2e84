import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Bubblewrap } from "../../src/adapters/contain/bubblewrap.js";
import { LAYER_MISSING } from "./layer-missing.js";
import { tempFolder } from "./temp-folder.js";

/** What shuts processes in on this machine; null, and a word why, where nothing does. */
export async function containmentHere(): Promise<Bubblewrap | null> {
  const bubblewrap = new Bubblewrap(process.env.PATH);
  const probe = await bubblewrap.probe();
  if (probe.reached === "namespaces") return bubblewrap;
  console.log(`${LAYER_MISSING}: no containment on this machine, so its tests do not run: ${probe.why}`);
  return null;
}

/** A PATH with everything on it but what shuts processes in. */
export function pathWithoutBubblewrap(): string {
  const folder = tempFolder();
  for (const from of (process.env.PATH ?? "").split(":").reverse())
    for (const name of existsSync(from) ? readdirSync(from) : []) {
      rmSync(join(folder, name), { force: true });
      if (name !== "bwrap") symlinkSync(join(from, name), join(folder, name));
    }
  return folder;
}
