import { type BeadReading, readBead } from "../../core/config/bead-record.js";
import { readJson } from "../../core/config/read-json.js";
import type { Bead } from "../../core/model/bead.js";

export interface LineProblem {
  readonly line: number;
  readonly reason: string;
}

/** The beads of a work file, or everything that is wrong with it; never some of the beads. */
export function readWorkFile(text: string): { beads: Bead[] } | { problems: LineProblem[] } {
  const beads: Bead[] = [];
  const problems: LineProblem[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, content] of text.split("\n").entries()) {
    if (content.trim() === "") continue;
    const line = index + 1;
    const reading = readLine(content);
    if (reading.kind === "other") continue;
    if (reading.kind === "wrong") {
      problems.push({ line, reason: reading.reason });
      continue;
    }
    const { bead } = reading;
    const earlier = lineOf.get(bead.id);
    if (earlier !== undefined)
      problems.push({ line, reason: `id ${bead.id} stands on line ${earlier} already` });
    lineOf.set(bead.id, earlier ?? line);
    beads.push(bead);
  }
  return problems.length > 0 ? { problems } : { beads };
}

function readLine(content: string): BeadReading {
  const json = readJson(content);
  if (json.kind === "json") return readBead(json.data);
  // One line of JSON is all there is, so its line number would only confuse.
  return { kind: "wrong", reason: `not JSON: ${json.problem.replace("line 1, ", "")}` };
}
