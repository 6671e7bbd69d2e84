import { readFileSync } from "node:fs";
import type {
  AgentEvent,
  Outcome,
  ProcessEnd,
  StreamParser,
} from "../../../src/core/runtimes/agent-outcome.js";

const BY_ITSELF: ProcessEnd = { stopping: false, code: 0, ended: "by-itself", stderr: "" };

/** The lines of a recorded stream, such as `codex-0.166.0/work`. */
export function recordedStream(name: string): string[] {
  const file = new URL(`../streams/${name}.jsonl`, import.meta.url);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

/** What a reader of these options, which a story may change, makes of lines and of how their process ended. */
export type Replay<Options> = (
  lines: readonly string[],
  facts?: Partial<ProcessEnd>,
  change?: Partial<Options>,
) => { events: AgentEvent[]; outcome: Outcome };

export function replayWith<Options>(
  open: (options: Options) => StreamParser,
  options: Options,
): Replay<Options> {
  return (lines, facts = {}, change = {}) => {
    const parser = open({ ...options, ...change });
    const events = lines.flatMap((line) => [...parser.push(line)]);
    return { events, outcome: parser.end({ ...BY_ITSELF, ...facts }) };
  };
}

/** An event in a word or two, for lists of them. */
export function briefly(event: AgentEvent): string {
  if (event.kind !== "tool") return event.kind;
  return `${event.name} ${event.phase}${event.ok === null ? "" : event.ok ? " ok" : " failed"}`;
}

/** Lines that are no events, and must change nothing wherever they come. */
export const NOISE: readonly string[] = [
  "",
  "not json",
  "{",
  "[]",
  "null",
  '{"type":7}',
  '{"type":"later.version","usage":{},"part":{},"error":{},"sessionID":"other","thread_id":"other"}',
  '{"kind":1}',
];
