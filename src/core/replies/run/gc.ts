import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import type { Advice } from "../../../lib/user-error.js";
import type { SlotStatus } from "../../run/ledger/slot.js";
import { waitsForPerson } from "../../run/ledger/slot-groups.js";
import type { GcItem, GcKind } from "../../run/plan/gc-plan.js";

export const gcReason = {
  openSlot: (status: string) => `its slot is ${status}`,
  /** A clean clone that a person may still be told to mend something in. */
  slotOver: (status: SlotStatus) =>
    waitsForPerson({ status })
      ? `its slot is ${status}, waiting for a person; its commits stay in repo.git, but nothing can be mended by hand then`
      : `its slot is ${status}, and whatever it committed is in repo.git`,
  noSlot: () => "no slot needs it",
  holdsWork: () => "it holds work that is in no commit",
  cloneHoldsWork: () => "its clone holds work that is in no commit",
  newestRun: () => "it is the newest run",
  runInUse: (bead: string, status: string) => `${bead} is ${status} in it`,
  old: (days: number) => `it was last written ${count(days, "day")} ago`,
  young: (days: number, least: number) =>
    `it was last written ${count(days, "day")} ago, less than ${count(least, "day")}`,
  closed: () => "its bead is closed",
  beadOpen: (status: string) => `its bead is ${status}`,
  unknown: () => "neither the work source nor the ledger knows its bead",
  unknownWithSlot: (status: string) =>
    `the work source does not know its bead, but the ledger has it as ${status}`,
  emptySource: () => "the work source lists no beads at all, which proves nothing",
  leftover: () => "a process that was cut short left it more than a day ago",
  fresh: () => "it is less than a day old",
  stayed: () => "it changed while this was going on: it holds work now",
};

export const gcAdvice = {
  engineRuns: ({ pid, host, since }: { pid: number; host: string; since: string }): Advice => ({
    message: `an engine uses these files: pid ${pid} on ${host} since ${since}`,
    hint: "end it with `koryph drain`, then try again",
  }),
};

export interface GcReport {
  readonly project: string;
  readonly applied: boolean;
  readonly days: number;
  readonly removed: readonly GcItem[];
  readonly kept: readonly GcItem[];
  /** Old clones that could only be kept whole; a person has to look at them. */
  readonly keptClones: readonly string[];
}

const KIND: Readonly<Record<GcKind, string>> = {
  clone: "clone",
  home: "agent's home",
  run: "run folder",
  wip: "saved work on the remote",
  branch: "branch in repo.git",
  leftover: "leftover",
};

export function gcText({ applied, removed, kept, keptClones }: GcReport): string[] {
  const rows = (items: readonly GcItem[]) =>
    table(items.map(({ kind, name, why }) => [`  ${KIND[kind]}`, plainText(name), plainText(why)]));
  const lines: string[] = [];
  if (removed.length === 0) lines.push("nothing to remove");
  else
    lines.push(`${applied ? "removed" : "would remove"} ${count(removed.length, "item")}:`, ...rows(removed));
  // What stays because it is in use is no news; what stays although it looks left behind is.
  const telling = [gcReason.holdsWork(), gcReason.stayed()];
  const odd = kept.filter(({ kind, why }) => kind === "clone" && telling.includes(why));
  if (odd.length > 0) lines.push("kept:", ...rows(odd));
  if (keptClones.length > 0)
    lines.push("clones kept whole, to be looked at by a person:", ...keptClones.map((path) => `  ${path}`));
  if (!applied && removed.length > 0) lines.push("", "koryph gc --apply removes them");
  return lines;
}

/** A promise to programs, as docs/json.md describes it. */
export function gcJson({ project, applied, days, removed, kept, keptClones }: GcReport) {
  return { project_id: project, applied, days, removed, kept, kept_clones: keptClones };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
