import { cutText } from "../../lib/cut-text.js";
import { redactText } from "../redact.js";
import { isUnderWay } from "../run/ledger/ledger-state.js";
import { atWork } from "./at-work.js";
import type { ControlCommand, ControlVerb } from "./control-command.js";
import { append, type ControlDecision, type ControlRefused, refuse } from "./control-decision.js";
import type { ControlFacts } from "./control-facts.js";
import { decideHold, decideUnhold } from "./decide-hold.js";
import { decideInject } from "./decide-inject.js";
import { decideRetry } from "./decide-retry.js";
import { decideStop } from "./decide-stop.js";
import { meantBead } from "./meant-bead.js";
import { silentSince } from "./silent-since.js";

type Of<V extends ControlVerb> = Extract<ControlCommand, { readonly verb: V }>;

const LONGEST_NUDGE = 10_000;

/** They are about the run that was under way when they were asked for. */
const STEERS: ReadonlySet<ControlVerb> = new Set(["stop", "drain", "resize", "nudge"]);
/** A comment that is answered so much later was found by a sweep, or waited for git; clocks differ by less. */
const LATE_MS = 5 * 60_000;

/** What a command comes to, as things stand. Whether the person may use it has been asked before. */
export function decideControl(command: ControlCommand, facts: ControlFacts): ControlDecision {
  const { state, now } = facts;
  if (state.readOnly !== null) return refuse({ code: "read_only", ...state.readOnly });
  if (facts.run !== undefined && facts.run !== state.run?.id)
    return refuse({ code: "other_run", run: facts.run, now: state.run?.id ?? null });
  if (STEERS.has(command.verb) && isBeforeRun(facts))
    return refuse({ code: "before_run", verb: command.verb });
  const decision = decideVerb(command, facts);
  return needsEngine(decision) ? { ...decision, silent: silentSince(state, now) } : decision;
}

/** GitHub tells a comment's time in whole seconds, so one of the second in which the run began is meant for it. */
function isBeforeRun({ state, now, asked }: ControlFacts): boolean {
  const began = Math.floor(Date.parse(state.run?.startedAt ?? "") / 1000) * 1000;
  return now - asked >= LATE_MS && isUnderWay(state) && began > asked;
}

function needsEngine(decision: ControlDecision): decision is Exclude<ControlDecision, ControlRefused> {
  switch (decision.kind) {
    case "append":
      return !decision.done;
    case "already":
      return decision.found.verb !== "hold" && decision.found.verb !== "retry";
    case "refuse":
      return false;
  }
}

function decideVerb(command: ControlCommand, facts: ControlFacts): ControlDecision {
  switch (command.verb) {
    case "hold":
      return decideHold(command, facts);
    case "unhold":
      return decideUnhold(command, facts);
    case "retry":
      return decideRetry(command, facts);
    case "nudge":
      return nudge(command, facts);
    case "stop":
      return decideStop(command, facts);
    case "drain":
      return drain(command, facts);
    case "resize":
      return resize(command, facts);
    case "inject":
      return decideInject(command, facts);
  }
}

function nudge(command: Of<"nudge">, facts: ControlFacts): ControlDecision {
  const found = meantBead(command.bead, command.text, facts);
  // A bead alone is no message.
  const meant = found.text === "" ? { bead: facts.own, text: command.text } : found;
  const slot = atWork("nudge", meant.bead, facts);
  if ("kind" in slot) return slot;
  const { bead } = slot;
  const clean = redactText(meant.text);
  const text = cutText(clean, LONGEST_NUDGE);
  return append(
    "engine",
    { type: "control.nudge", bead, data: { text } },
    { verb: "nudge", bead, text, cut: text !== clean },
  );
}

function drain(command: Of<"drain">, { state }: ControlFacts): ControlDecision {
  if (!isUnderWay(state)) return refuse({ code: "no_run", command });
  const request = state.requests.find((each) => each.request.verb === "drain");
  if (request !== undefined) return { kind: "already", found: { verb: "drain", request }, silent: null };
  return append("engine", { type: "control.drain", data: {} }, { verb: "drain" });
}

function resize(command: Of<"resize">, { state, ceiling }: ControlFacts): ControlDecision {
  const { max, force } = command;
  if (!isUnderWay(state)) return refuse({ code: "no_run", command });
  if (max !== null && max > ceiling && !force) return refuse({ code: "too_wide", max, ceiling });
  return append("engine", { type: "control.resize", data: { max, force } }, { verb: "resize", max });
}
