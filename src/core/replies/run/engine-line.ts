import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import { type EngineObservation, holderParts, machineOf } from "../../control/judge-engine.js";

/** An engine's name in its lease as people read it. What others wrote there may have any form. */
export function holderText(holder: string, host = holder.replace(/\/.*$/s, "")): string {
  const { pid } = holderParts(holder);
  return pid === null ? plainText(machineOf(host)) : `pid ${pid} on ${plainText(machineOf(host))}`;
}

export function engineLine({ pid, host, since, state }: EngineObservation): string {
  if (state === "gone") return `${goneText(pid)}; \`koryph run --resume\` goes on`;
  const who = `${pid === null ? "" : `pid ${pid} `}on ${plainText(host)}`;
  const began = since === null ? "" : ` since ${plainText(since)}`;
  return `engine: ${who}${began}${state === "elsewhere" ? ", another machine or home" : ""}`;
}

/** A project's own line for whoever asks something of an engine that is gone. */
export function unheardLine(project: string, { pid }: EngineObservation, cleared: boolean): string {
  return cleared
    ? `${project}: ${goneText(pid)}, so nobody acts on this; the next run clears it, and \`koryph run --resume\` goes on`
    : `${project}: ${goneText(pid)}, so nobody acts on this until \`koryph run --resume\``;
}

export const engineAdvice = {
  leaseLeft: (pid: number | null): Advice => ({
    message: `${goneText(pid)}, but the lease is still in its name`,
    hint: "`koryph run --resume` goes on with its run and gives the lease back",
  }),
};

export function goneText(pid: number | null): string {
  return pid === null ? "the engine is gone" : `engine (pid ${pid}) is gone`;
}
