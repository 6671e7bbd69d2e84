import { z } from "zod";
import { PLAINLY } from "../model/plainly.js";

/** A status is a few words; a file of this size is something else. */
const STATUS_CHARACTERS = 64 * 1024;
const NOTE_CHARACTERS = 500;
const WORD_CHARACTERS = 40;

/** Agents are not exact; these words leave no doubt about what was meant. */
const STATES: Readonly<Record<string, "working" | "blocked" | "failed" | "done">> = {
  working: "working",
  in_progress: "working",
  running: "working",
  blocked: "blocked",
  failed: "failed",
  error: "failed",
  cancelled: "failed",
  canceled: "failed",
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

/** Whatever is said in the place of a state, as a word; empty when nothing is. */
const stateWord = z
  .unknown()
  .transform((said) => (typeof said === "string" ? said : (JSON.stringify(said) ?? "null")))
  .transform((word) => (word === "null" ? "" : word.trim().slice(0, WORD_CHARACTERS)));

/** `status.json`, as an agent writes it between steps. It is the agent's own word and proves nothing. */
const StatusFile = z.object({ state: stateWord, step: shortText, note: shortText, updated_at: shortText });

export interface AgentStatus extends Omit<z.infer<typeof StatusFile>, "state"> {
  /** `unknown` is a word that koryph does not know, `unreadable` a file without any. Neither is a good sign. */
  readonly state: "working" | "blocked" | "failed" | "done" | "unknown" | "unreadable";
  /** The state as the agent wrote it. */
  readonly word: string;
}

/** There is a `status.json`, but no state in it: half written, too long, or not a status at all. */
export const UNREADABLE_STATUS: AgentStatus = {
  state: "unreadable",
  word: "",
  step: "",
  note: "",
  updated_at: "",
};

export function readAgentStatus(text: string): AgentStatus {
  if (text.length > STATUS_CHARACTERS) return UNREADABLE_STATUS;
  const file = StatusFile.safeParse(jsonOf(text.replace(/^\uFEFF/, "")), PLAINLY).data;
  if (file === undefined || file.state === "") return UNREADABLE_STATUS;
  const { state: word, ...said } = file;
  const key = word.toLowerCase().replace(/[\s-]+/g, "_");
  return { ...said, word, state: (Object.hasOwn(STATES, key) ? STATES[key] : undefined) ?? "unknown" };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
