import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { operatorGit } from "../../adapters/git/exec/operator-git.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import type { LandHolder, RunningCommand } from "../../core/land/land-progress.js";
import { gateAdvice, gateJson, gateWords } from "../../core/replies/land/base-gate.js";
import { lastLines } from "../../core/replies/land/gate.js";
import { waitingText } from "../../core/replies/land/landing-clock.js";
import { askBase } from "../../landing/ask-base.js";
import { gateSettings } from "../../landing/land-next.js";
import type { GateAnswer, GateStep } from "../../ports/gate.js";
import type { LandTurn } from "../../ports/land-turn.js";
import { unseenHere } from "../../wiring/unseen-here.js";
import type { WiredLanding } from "../../wiring/wire-landing.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import type { Surface } from "../program.js";
import { refuseUsage } from "../text/refuse-usage.js";
import { sayAdvice } from "../text/say-advice.js";
import { projectFolder } from "../wiring/project-folder.js";
import { ALIVE_SECONDS, stayAlive } from "../wiring/stay-alive.js";
import { wireContained } from "../wiring/wire-contained.js";

interface GateFlags {
  readonly at?: string;
  readonly json?: true;
}

/** How often another gate on this machine is looked at. */
const BUSY_MS = 300;
/** Whoever asks for nothing but the gate wants to see why it is red. */
const MOST_LINES = 500;

export function addGate(command: Command, surface: Surface): void {
  command
    .option("--at <ref>", "a branch, tag or commit, instead of the default branch that agents start from")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it; progress goes to standard error`)
    .action((flags: GateFlags) => runGate(surface, flags, command));
}

async function runGate(
  { program, terminal, version, exit }: Surface,
  { at, json }: GateFlags,
  command: Command,
): Promise<void> {
  const project = await wireProject(projectFolder(program), version);
  const landing = await wireContained(project);
  const say = json ? terminal.err : terminal.out;
  try {
    const { branch, tip } = await landing.repo.fetchBase();
    const head = at === undefined ? tip : await landing.repo.bring(at);
    if (head === null)
      return refuseUsage(command, gateAdvice.unknownRef(at ?? "", await branchesOf(project.root)));
    const ref = at ?? branch;
    say(gateWords.checking(head, ref));
    const steps: GateStep[] = [];
    const answer = await ask({ project, landing, head, say }, (step) => {
      if (step.try > (steps.at(-1)?.try ?? 1)) say(gateWords.again());
      steps.push(step);
      say(gateWords.step(step));
    });
    if (json) terminal.out(JSON.stringify(gateJson({ head, ref, steps, answer }), null, 2));
    if (answer.kind === "green") say(gateWords.green(head));
    else if (answer.kind === "stopped") terminal.err(gateWords.stopped());
    else {
      if (!json && answer.output !== "") terminal.err(lastLines(answer.output, MOST_LINES));
      const base = at === undefined ? { unseen: await unseenHere(project, { branch, tip }) } : null;
      sayAdvice(terminal, gateAdvice.red(head, answer, base));
    }
    exit(answer.kind === "green" ? 0 : 1);
  } finally {
    await landing.close();
  }
}

interface Asked {
  readonly project: WiredProject;
  readonly landing: WiredLanding;
  readonly head: string;
  readonly say: (line: string) => void;
}

function ask({ project, landing, head, say }: Asked, told: (step: GateStep) => void): Promise<GateAnswer> {
  const { config } = project;
  return stayAlive(
    project,
    () => say(gateWords.stopping()),
    async (liveness, abort) => {
      const turn = await awaitTurn(landing, abort, (holder) => say(waitingText(holder)));
      if (turn === null) return { kind: "stopped" };
      const onCommand = (running: RunningCommand) => turn.tell({ by: "gate", bead: null, running });
      try {
        turn.tell({ by: "gate", bead: null });
        const settings = gateSettings({
          parts: { liveness },
          settings: { config, leaseSeconds: ALIVE_SECONDS },
        });
        return await askBase(landing, settings, {
          head,
          accept: "none",
          fresh: randomUUID(),
          abort,
          onCommand,
          told,
        });
      } finally {
        await turn.release();
      }
    },
  );
}

/** Null when it was interrupted before it was our turn. */
async function awaitTurn(
  { landTurn }: WiredLanding,
  abort: AbortSignal,
  onWait: (holder: LandHolder) => void,
): Promise<Extract<LandTurn, { kind: "ours" }> | null> {
  for (let first = true; ; first = false) {
    const turn = await landTurn();
    if (turn.kind === "ours") return turn;
    if (abort.aborted) return null;
    if (first) onWait(turn.by);
    await pause(BUSY_MS, undefined, { signal: abort }).catch(() => {});
  }
}

async function branchesOf(root: string): Promise<string[]> {
  const answer = await operatorGit(root, ["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
  return answer?.code === 0 ? answer.stdout.split("\n").filter((name) => name !== "") : [];
}
