import { table } from "../../../lib/table.js";
import { wrapText } from "../../../lib/wrap-text.js";
import type { dispatchPlanJson } from "../schedule/plan-json.js";
import { DEMO_MARGIN, DEMO_WIDTH } from "./demo.js";

type Plan = ReturnType<typeof dispatchPlanJson>;
type Waiting = Plan["deferred"][number];

/** A dry run in six lines: what would start, and why the rest would not. */
export function planSummary({ width, ready, dispatch, deferred, skipped }: Plan): string[] {
  const conflicts = deferred.filter(({ reason_code }) => reason_code === "conflict");
  const full = deferred.filter(({ reason_code }) => reason_code === "wave_full");
  const others = deferred.filter((each) => !conflicts.includes(each) && !full.includes(each));
  const rows = [
    ["start now", dispatch, ids(dispatch)],
    ["same files", conflicts, conflicts.map(({ id, by }) => `${id} waits for ${by}`).join(", ")],
    ["slots full", full, ids(full)],
    ["held back", others, others.map(withReason).join(", ")],
    ["for people", skipped, skipped.map(withReason).join(", ")],
  ] as const;
  const lines = table(
    rows.map(([word, beads, text]) => [word, String(beads.length).padStart(2), text]),
    "  ",
  );
  return [`${ready} beads are ready, and ${width} may run at once`, ...lines].map((line) => cut(line));
}

function ids(beads: readonly { readonly id: string }[]): string {
  return beads.map(({ id }) => id).join(", ");
}

/** The words that tell one from the other; the dry run itself has the whole sentence. */
function withReason({ id, reason, reason_code }: Waiting): string {
  const short: Partial<Record<string, string>> = { model_refused: "model", runtime_refused: "runtime" };
  const word = short[reason_code] ?? reason.replace(/^non-dispatch issue_type /, "").replace(/ label$/, "");
  return `${id} ${word}`;
}

function cut(line: string): string {
  const width = DEMO_WIDTH - DEMO_MARGIN.length;
  if (line.length <= width) return `${DEMO_MARGIN}${line}`;
  const [first = ""] = wrapText(line, width - 2);
  return `${DEMO_MARGIN}${first.replace(/,$/, "")} …`;
}
