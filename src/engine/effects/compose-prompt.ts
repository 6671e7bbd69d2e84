import type { BeadId } from "../../core/model/bead.js";
import { compilePrompt, type PromptProject, type PromptTask } from "../../core/prompt/compile-prompt.js";
import { reviewPrompt } from "../../core/prompt/review-prompt.js";
import { stagePrompt } from "../../core/prompt/stage-prompt.js";
import { runAdvice } from "../../core/replies/run/run.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import { UserError } from "../../lib/user-error.js";
import type { PreparedClone } from "../../ports/slot-folders.js";
import type { EngineParts, EngineSettings } from "../engine-parts.js";
import { refuseWithheld } from "./refuse-withheld.js";

const DIFF_CHARACTERS = 100_000;

/** What the agent of an attempt is told, by what it is for. */
export async function composePrompt(
  slot: Slot,
  parts: EngineParts,
  { config, agentNotes, personas }: EngineSettings,
): Promise<string> {
  const project: PromptProject = {
    id: config.project_id,
    gate: config.gate,
    protectedPaths: config.protected_paths,
    commitStyle: config.commit_style,
    agentNotes,
  };
  const bead = await taskOf(slot, parts);
  if (slot.task === "implement") return implement(project, bead, slot, parts);
  const { stat, diff, cut } = await changeOf(slot, parts);
  const persona = personas?.get(slot.task);
  if (slot.task === "review") return reviewPrompt(project, { bead, stat, diff, diffCut: cut, persona });
  const name = slot.task.slice("stage:".length);
  const stage = config.pipeline.find((candidate) => candidate.name === name);
  if (stage === undefined) throw UserError.of(runAdvice.noStage(name));
  return stagePrompt(project, { bead, stage, stat, persona });
}

async function implement(
  project: PromptProject,
  bead: PromptTask["bead"],
  slot: Slot,
  { folders }: EngineParts,
): Promise<string> {
  const prepared = await folders.readPrepared(placeOf(slot));
  const text =
    slot.report === null
      ? null
      : await folders.readReport({ bead: slot.bead, ...slot.report }, slot.report.kind);
  return compilePrompt(project, {
    bead,
    attempt: slot.tries,
    conflict: prepared?.conflict ?? false,
    ...(prepared !== null && hasEarlier(slot, prepared)
      ? { earlier: { end: slot.lastEnd, commits: prepared.commits, leftover: prepared.leftover } }
      : {}),
    ...(slot.report !== null && text !== null ? { report: { kind: slot.report.kind, text } } : {}),
  });
}

/** Whether somebody was at the bead before. Reviews and stages are attempts too, so a first number tells nothing. */
function hasEarlier({ attempt }: Slot, { commits, leftover }: PreparedClone): boolean {
  return attempt > 1 || commits > 0 || leftover !== "none";
}

async function taskOf(slot: Slot, { source }: EngineParts): Promise<PromptTask["bead"]> {
  const bead = await source.get(slot.bead).catch((error: unknown) => {
    // The tracker may be readable again in a moment, so this is no reason to give the bead up.
    throw new Error(`the task could not be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  refuseWithheld(bead);
  return bead ?? { id: slot.bead as BeadId, title: slot.title, description: "", acceptance: "" };
}

/** What is there so far: the candidate, or, before there is one, what the agents have committed. */
async function changeOf(slot: Slot, { repo }: EngineParts) {
  const made = slot.candidate ?? (await repo.candidate(slot.bead));
  if (made === null) return { stat: "", diff: "", cut: false };
  const { stat, diff } = await repo.describe(made, DIFF_CHARACTERS + 1);
  return { stat, diff: diff.slice(0, DIFF_CHARACTERS), cut: diff.length > DIFF_CHARACTERS };
}
