import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { beadToLookUp } from "../../core/control/bead-to-look-up.js";
import type { ControlCommand } from "../../core/control/control-command.js";
import type { ControlFacts } from "../../core/control/control-facts.js";
import { decideControl } from "../../core/control/decide-control.js";
import { standingEvents } from "../../core/control/decide-stop.js";
import { isClosed } from "../../core/model/bead.js";
import { stoppedHereLines } from "../../core/replies/control/stopped-here.js";
import { decisionLine, refusalAdvice, silentEngineLine } from "../../core/replies/control/terminal-reply.js";
import { unheardLine } from "../../core/replies/run/engine-line.js";
import { isUnderWay } from "../../core/run/ledger/ledger-state.js";
import { type Advice, UserError } from "../../lib/user-error.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import type { Surface } from "../program.js";
import { lookAtEngine } from "../wiring/observe-engine.js";
import { shareLedger } from "../wiring/read-ledger.js";
import { stopHere } from "../wiring/stop-here.js";

/** Carries out a command in one project; what to say where no run is under way and it needs one, else null. */
export async function askProject(
  { terminal: { out, err }, version }: Pick<Surface, "terminal" | "version">,
  folder: string,
  command: ControlCommand,
): Promise<Advice | null> {
  const project = await wireProject(folder, version);
  const { ledger, config, audit, actor } = project;
  const id = config.project_id;
  const { state, engine } = await lookAtEngine(project, err);
  const now = Date.now();
  const decision = decideControl(command, {
    state,
    ceiling: config.max_concurrent_slots,
    now,
    asked: now,
    own: null,
    tracked: await lookUp(project, beadToLookUp(command, state)),
  });
  if (decision.kind === "refuse") {
    const advice = refusalAdvice(decision.refusal);
    if (decision.refusal.code === "no_run") return advice;
    throw UserError.of(advice);
  }
  if (decision.kind === "append" && decision.change.verb === "stop" && engine?.state === "gone") {
    const stopped = await stopHere(project, decision.change);
    if (stopped !== null) {
      const events = standingEvents(decision.events);
      if (events.length > 0) await ledger.observe(events);
      await shareLedger(ledger, err);
      await audit.record({ kind: "control.stop", projectId: id, actor, detail: { ...stopped } });
      for (const line of stoppedHereLines(id, engine, { ...decision.change, ...stopped })) out(line);
      return null;
    }
  }
  if (decision.kind === "append") {
    await ledger.observe(decision.events);
    await shareLedger(ledger, err);
    for (const { type, data } of decision.events)
      await audit.record({ kind: type, projectId: id, actor, detail: data });
  }
  out(decisionLine(id, decision, isUnderWay(state)));
  // Of an engine on this machine its lock tells more than how long it was silent.
  if (engine?.state === "gone") err(unheardLine(id, engine, isClearedByRuns(command)));
  else if (engine?.state === "elsewhere" && decision.silent !== null)
    err(silentEngineLine(id, decision.silent));
  return null;
}

/** A run that starts clears a drain and a stop: they were meant for the one before. */
function isClearedByRuns({ verb }: ControlCommand): boolean {
  return verb === "drain" || verb === "stop";
}

async function lookUp(project: WiredProject, bead: string | null): Promise<ControlFacts["tracked"]> {
  if (bead === null) return "unasked";
  const found = await openWorkSource(project).get(bead);
  if (found === null) return "absent";
  return isClosed(found) ? "closed" : "open";
}
