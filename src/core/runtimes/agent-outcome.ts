import type { AgentEnd } from "../model/agent-end.js";

/** One thing an agent's stream told us, in words that every runtime shares. */
export type AgentEvent =
  | {
      readonly kind: "session";
      readonly id: string;
      readonly model: string | null;
      readonly version: string | null;
    }
  /** Without `by` it is the model's word; else the program itself speaks, of a failed call say. */
  | { readonly kind: "text"; readonly text: string; readonly by?: "program" }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly phase: "start" | "end";
      readonly ok: boolean | null;
      /** What it is used on; absent when that is not known. */
      readonly subject?: string;
    }
  | { readonly kind: "denied"; readonly tool: string }
  | {
      readonly kind: "retry";
      readonly attempt: number;
      readonly delayMs: number | null;
      readonly status: number | null;
      readonly reason: string;
    }
  | { readonly kind: "limit"; readonly state: "ok" | "warn" | "rejected"; readonly resetsAt: number | null }
  | { readonly kind: "usage"; readonly costUsd: number; readonly scope: "run" | "session" };

/** Whether the model has answered: a program that only starts, retries or complains has heard nothing yet. */
export function isAnswer(event: AgentEvent): boolean {
  return event.kind === "tool" || (event.kind === "text" && event.by === undefined);
}

/** What an agent's stream and end amount to. Git facts are judged elsewhere. */
export interface Outcome extends AgentEnd {
  readonly text: string;
  readonly structured: unknown;
  readonly denials: readonly string[];
}

/** What is known about the end of a process apart from what it printed. */
export interface ProcessEnd {
  /** A stop was recorded before the end. */
  readonly stopping: boolean;
  /** Null: no word was left, killed or lost. */
  readonly code: number | null;
  readonly ended: "by-itself" | "wall-clock" | "engine-gone" | "unknown";
  /** The last lines of standard error. */
  readonly stderr: string;
}

/** Pure and replayable: the same lines give the same events and the same outcome. */
export interface StreamParser {
  /** Tells of an answer as soon as it is there: an attempt in which no model answered is free, and may be tried again. */
  push(line: string): readonly AgentEvent[];
  /** What `push` has seen, and how the process ended. */
  end(facts: ProcessEnd): Outcome;
}
