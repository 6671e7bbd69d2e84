import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PLAINLY } from "../../../core/model/plainly.js";
import { CarriedState } from "../../../core/run/ledger/carried-state.js";
import { copyState } from "../../../core/run/ledger/copy-state.js";
import { REDUCER_VERSION } from "../../../core/run/ledger/ledger-state.js";
import { emptyReplay, type Folded } from "./ledger-replay.js";

/** Inside the bare repository, where git does not mind it. Deleting it costs a replay and nothing else. */
export const SNAPSHOT_FILE = "koryph-snapshot.json";

const Snapshot = z.object({
  reducer: z.literal(REDUCER_VERSION),
  tip: z.string().regex(/^[0-9a-f]{40,64}$/),
  state: CarriedState,
  ids: z.array(z.string()),
});

/** Where replaying may start; the very beginning when there is no snapshot that can be used. */
export async function loadSnapshot(gitDir: string): Promise<Folded> {
  const text = await readFile(join(gitDir, SNAPSHOT_FILE), "utf8").catch(() => "");
  try {
    const { tip, state, ids } = Snapshot.parse(JSON.parse(text), PLAINLY);
    return { tip, state: copyState(state), ids: new Set(ids), below: null };
  } catch {
    return emptyReplay();
  }
}

export async function saveSnapshot(gitDir: string, { tip, state, ids }: Folded): Promise<void> {
  const path = join(gitDir, SNAPSHOT_FILE);
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, "w");
  try {
    await file.writeFile(JSON.stringify({ reducer: REDUCER_VERSION, tip, state, ids: [...ids] }));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

export async function dropSnapshot(gitDir: string): Promise<void> {
  await rm(join(gitDir, SNAPSHOT_FILE), { force: true });
}
