import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import type { Advice } from "../../../lib/user-error.js";
import type { GcItem, GcKind, GcReason } from "../../run/plan/gc-plan.js";
import { statusWord } from "../beads/status-word.js";

function reasonOf(why: GcReason): string {
  switch (why.code) {
    case "slot-open":
      return `its slot is ${statusWord(why.status)}`;
    case "slot-over":
      return `its slot is ${statusWord(why.status)}, and whatever it committed is in repo.git`;
    case "waits-for-person":
      return `its slot is ${statusWord(why.status)}, which waits for a person`;
    case "landed-lately":
      return "its bead landed less than a day ago";
    case "no-slot":
      return "no slot needs it";
    case "holds-work":
      return "it holds work that is in no commit";
    case "clone-holds-work":
      return "its clone holds work that is in no commit";
    case "newest-run":
      return "it is the newest run";
    case "run-in-use":
      return `${why.bead} is ${statusWord(why.status)} in it`;
    case "old":
      return `it was last written ${count(why.days, "day")} ago`;
    case "young":
      return `it was last written ${count(why.days, "day")} ago, less than ${count(why.least, "day")}`;
    case "bead-closed":
      return "its bead is closed";
    case "bead-open":
      return `its bead is ${why.status}`;
    case "bead-unknown":
      return "neither the work source nor the ledger knows its bead";
    case "slot-without-bead":
      return `the work source does not know its bead, but the ledger has it as ${statusWord(why.status)}`;
    case "empty-source":
      return "the work source lists no beads at all, which proves nothing";
    case "leftover":
      return "a process that was cut short left it more than a day ago";
    case "fresh":
      return "it is less than a day old";
    case "stayed":
      return "it changed while this was going on: it holds work now";
  }
}

export const gcAdvice = {
  engineRuns: ({ pid, host, since }: { pid: number; host: string; since: string }): Advice => ({
    message: `an engine uses these files: pid ${pid} on ${host} since ${since}`,
    hint: "end it with `koryph drain`, then try again",
  }),
  nothingOf: (beads: readonly string[]): Advice => ({
    message: `nothing of ${beads.join(", ")} is on this machine`,
    hint: "`koryph gc --json` lists all there is, under the names of its beads",
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
  const rows = (items: readonly GcItem[]) => table(grouped(items));
  const lines: string[] = [];
  if (removed.length === 0) lines.push("nothing to remove");
  else
    lines.push(`${applied ? "removed" : "would remove"} ${count(removed.length, "item")}:`, ...rows(removed));
  // What stays because it is in use is no news; what stays although it looks left behind is.
  const odd = kept.filter(
    ({ kind, why }) => kind === "clone" && (why.code === "holds-work" || why.code === "stayed"),
  );
  if (odd.length > 0) lines.push("kept:", ...rows(odd));
  const waiting = [
    ...new Set(
      kept.flatMap(({ name, why }) =>
        why.code === "waits-for-person" ? [`${plainText(name)} (${statusWord(why.status)})`] : [],
      ),
    ),
  ];
  if (waiting.length > 0)
    lines.push(
      `kept, because a person has to look: ${waiting.join(", ")}`,
      "  koryph gc <bead> --apply removes what is on this machine of one, except its commits",
    );
  if (keptClones.length > 0)
    lines.push("clones kept whole, to be looked at by a person:", ...keptClones.map((path) => `  ${path}`));
  if (!applied && removed.length > 0) lines.push("", "koryph gc --apply removes them");
  return lines;
}

/** One row for all that is there of a bead and goes, or stays, for the same reason. */
function grouped(items: readonly GcItem[]): string[][] {
  const rows = new Map<string, { name: string; kinds: string[]; why: string }>();
  for (const { kind, name, why } of items) {
    const reason = plainText(reasonOf(why));
    const key = `${name}\n${reason}`;
    const row = rows.get(key) ?? { name: plainText(name), kinds: [], why: reason };
    row.kinds.push(KIND[kind]);
    rows.set(key, row);
  }
  return [...rows.values()].map(({ name, kinds, why }) => [`  ${name}`, kinds.join(", "), why]);
}

const GIGABYTE = 1e9;

/** A line for the end of a run; null while it is not worth one. */
export function freeableLine(bytes: number): string | null {
  if (bytes <= GIGABYTE) return null;
  return `koryph gc would free about ${(bytes / GIGABYTE).toFixed(1)} GB on this machine`;
}

/** A promise to programs, as docs/json.md describes it. */
export function gcJson({ project, applied, days, removed, kept, keptClones }: GcReport) {
  const items = (found: readonly GcItem[]) =>
    found.map(({ kind, name, why }) => ({ kind, name, why: reasonOf(why) }));
  return {
    project_id: project,
    applied,
    days,
    removed: items(removed),
    kept: items(kept),
    kept_clones: keptClones,
  };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
