import type { ProjectConfig } from "../core/config/project-schema.js";
import type { LandProgress, RunningCommand } from "../core/land/land-progress.js";
import type { LandRefusal } from "../core/land/refusal.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { landsByItself } from "../core/run/tick/next-step.js";
import type { Checked, RunOptions } from "../core/run/tick/tick-facts.js";
import type { Candidate, Repo } from "../ports/repo.js";
import { checkBranch } from "./check-branch.js";
import { judgeRed } from "./judge-red.js";
import { keepReport } from "./keep-report.js";
import { baseAsker, gateSettings, type LandContext, stepTeller } from "./land-next.js";
import { landRules } from "./land-rules.js";
import { refusalData } from "./refusal-data.js";

interface CheckContext {
  readonly parts: Pick<LandContext["parts"], "gate" | "folders" | "liveness" | "landTurn" | "report"> & {
    readonly repo: Repo;
  };
  readonly settings: LandContext["settings"] & {
    readonly config: ProjectConfig;
    readonly options: RunOptions;
  };
  readonly abort: AbortSignal;
}

/**
 * Looks at a slot's candidate before its review: at the branch, then with the gate. The report of what is wrong lies
 * ready before anybody hears of it. Null when the gate gave no answer, for it was stopped or somebody else's is under way.
 */
export async function checkWork(slot: Slot, context: CheckContext): Promise<Checked | null> {
  const { parts, settings } = context;
  const { config, options } = settings;
  const landsNext = landsByItself(slot, options);
  const lifted = { allowProtected: false, allowSecrets: false };
  const rules = { ...landRules(config), ...lifted, method: config.merge_method, landsNext };
  const found = await checkBranch(slot, parts.repo, rules);
  if (found.kind === "refused") return refused(slot, found.refusal, parts);
  const gated = await passGate(slot, found, context);
  if (gated === null) return null;
  return gated.kind === "green" ? found : refused(slot, gated.refusal, parts);
}

type Gated = { readonly kind: "green" } | { readonly kind: "red"; readonly refusal: LandRefusal } | null;

/** One gate at a time on a machine, as for landings; an answer that is known keeps nobody waiting. */
async function passGate({ bead }: Slot, { base, head }: Candidate, context: CheckContext): Promise<Gated> {
  const { parts, abort } = context;
  const gate = gateSettings(context);
  const question = { head, commands: gate.commands, accept: "green" } as const;
  if ((await parts.gate.recall(question)) !== null) return { kind: "green" };
  const turn = await parts.landTurn();
  if (turn.kind === "theirs") return null;
  const progress = stepTeller(turn, "run", parts);
  const tell = (step: LandProgress) => progress({ bead }, step);
  const onCommand = (running: RunningCommand) => tell({ kind: "command", ...running });
  try {
    tell({ kind: "gate", head });
    const folder = await parts.folders.openGate(bead, head);
    const answer = await parts.gate.run({ bead, folder, ...gate, ...question, abort, onCommand });
    if (answer.kind === "stopped") return null;
    // Its files would answer for the same commit after a retry, too.
    await parts.folders.dropGates(bead);
    if (answer.kind === "green") return answer;
    const refusal = await judgeRed(answer, { base, askBase: baseAsker(context), tell });
    return refusal && { kind: "red", refusal };
  } finally {
    await turn.release();
  }
}

async function refused(
  slot: Slot,
  refusal: LandRefusal,
  { folders }: Pick<CheckContext["parts"], "folders">,
): Promise<Checked> {
  await keepReport(slot, refusal, folders);
  return { kind: "refused", refusal: refusalData(refusal) };
}
