import { z } from "zod";

/** A status is a few words; a file of this size is something else. */
const STATUS_CHARACTERS = 64 * 1024;
const NOTE_CHARACTERS = 500;

/** Agents are not exact; these words leave no doubt about what was meant. Any other word is no good sign. */
const STATES: Readonly<Record<string, "working" | "blocked" | "failed" | "done">> = {
  working: "working",
  in_progress: "working",
  running: "working",
  blocked: "blocked",
  failed: "failed",
  error: "failed",
  done: "done",
  complete: "done",
  completed: "done",
  finished: "done",
  success: "done",
  succeeded: "done",
};

const shortText = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => String(value ?? "").slice(0, NOTE_CHARACTERS));

/** `status.json`, as an agent writes it between steps. It is the agent's own word and proves nothing. */
export const AgentStatus = z
  .object({
    state: z.string(),
    step: shortText,
    note: shortText,
    updated_at: shortText,
  })
  .transform(({ state: word, ...said }) => {
    const key = word
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_");
    const state = Object.hasOwn(STATES, key) ? STATES[key] : undefined;
    if (state !== undefined) return { state, ...said };
    const note = [word.trim(), said.note].filter((text) => text !== "").join(": ");
    return { state: "failed" as const, ...said, note: note.slice(0, NOTE_CHARACTERS) };
  });
export type AgentStatus = z.infer<typeof AgentStatus>;

/** Null when there is nothing in it that can be understood: half written, too long, or not a status at all. */
export function readAgentStatus(text: string): AgentStatus | null {
  if (text.length > STATUS_CHARACTERS) return null;
  try {
    return AgentStatus.safeParse(JSON.parse(text.replace(/^\uFEFF/, ""))).data ?? null;
  } catch {
    return null;
  }
}
