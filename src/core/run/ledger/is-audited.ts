import type { LedgerEvent } from "./ledger-event.js";

/** What people asked for and what became of it, and what kept agents back. The engine's own steps are none of it. */
const AUDITED: readonly string[] = [
  "control.",
  "hold.",
  "pull.",
  "land.",
  "job.",
  "runtime.",
  "run.",
  "ledger.",
];

/** Whether an event is an act that somebody answers for: a person's, a governor's, or an agent without walls. */
export function isAudited(event: LedgerEvent): boolean {
  if (event.type !== "slot.dispatching") return isAct(event.type);
  const { contained, account } = event.data;
  return contained === "none" || contained === "missing" || account?.billing !== undefined;
}

/** Whether the ledger has acts of this type. */
export function isAct(type: string): boolean {
  return AUDITED.some((start) => type.startsWith(start));
}
