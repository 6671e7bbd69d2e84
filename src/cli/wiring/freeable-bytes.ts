import { diskBytes } from "../../adapters/files/disk-bytes.js";
import type { Clones } from "../../adapters/git/clones/clones.js";
import { StoredFiles } from "../../adapters/home/stored-files.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import { GC_DAYS, type GcItem, planGc } from "../../core/run/plan/gc-plan.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** What `koryph gc --apply` would give back on this machine's disk, at least. */
export async function freeableBytes(
  { home, config }: Pick<WiredProject, "home" | "config">,
  state: Pick<LedgerState, "slots" | "run">,
  clones: Pick<Clones, "pathOf" | "isDirty">,
): Promise<number> {
  const files = new StoredFiles(home, config.project_id);
  const { remove } = planGc({
    now: Date.now(),
    days: GC_DAYS,
    named: [],
    slots: state.slots,
    newestRun: state.run?.id ?? null,
    clones: (await files.clones()).map((bead) => ({ bead, work: false })),
    homes: await files.homes(),
    runs: await files.runs(),
    leftovers: await files.leftovers(),
    // Refs take next to no room.
    beads: new Map(),
    wip: [],
    branches: [],
  });
  const paths: string[] = [];
  for (const item of remove) {
    if (item.kind === "clone" && (await clones.isDirty(item.name))) continue;
    paths.push(pathOf(item, { files, clones }));
  }
  return diskBytes(paths);
}

function pathOf(
  { kind, name }: GcItem,
  { files, clones }: { readonly files: StoredFiles; readonly clones: Pick<Clones, "pathOf"> },
): string {
  switch (kind) {
    case "clone":
      return clones.pathOf(name);
    case "home":
      return files.homeOf(name);
    case "run":
      return files.runFolder(name);
    default:
      return name;
  }
}
