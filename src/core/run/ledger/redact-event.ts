import { redactText } from "../../redact.js";
import type { NewEvent, StampedEvent } from "./ledger-event.js";

/**
 * What koryph itself made up and must find again as it was. Beads and machines have names of people's choosing,
 * which may look like anything.
 */
const FOUND_AGAIN: ReadonlySet<string> = new Set(["bead", "branch", "holder", "host", "request", "run"]);

/** An event without the secrets in its texts: the ledger is as public as the repository, and forgets nothing. */
export function redactEvent<E extends NewEvent | StampedEvent>(event: E): E {
  const { actor, evidence, data } = event;
  return {
    ...event,
    data: redactTexts(data),
    ...(actor === undefined ? {} : { actor: redactText(actor) }),
    ...(evidence === undefined ? {} : { evidence: redactTexts(evidence) }),
  };
}

/** For data whose names are koryph's own, so that they say nothing about what stands under them. */
export function redactTexts<T>(value: T): T {
  return inner(value) as T;
}

function inner(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, FOUND_AGAIN.has(name) ? held : inner(held)]),
  );
}
