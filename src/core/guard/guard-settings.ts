import type { GuardFacts } from "./guard-facts.js";

/** What the guard of one agent is started with: what does not change from call to call. */
export interface GuardSettings extends Omit<GuardFacts, "cwd" | "files"> {
  /** Where denials are noted. */
  readonly log: string;
}

/** Null for what is no such text: written by koryph itself, so somebody else has been at it. */
export function readGuardSettings(text: string): GuardSettings | null {
  const read = objectIn(text);
  if (read === null) return null;
  const { worktree, home, writable, engine, secret, defaultBranch, log } = read;
  const texts = [worktree, home, defaultBranch, log].every(
    (value) => typeof value === "string" && value !== "",
  );
  const lists = [writable, engine, secret].every(isTexts);
  return texts && lists ? (read as unknown as GuardSettings) : null;
}

/** A JSON object; null for any other text. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
