import { plainText } from "../../../lib/plain-text.js";

const SHOWN_TYPES = 3;

/** What `git log --oneline` shows of an append; the events themselves are in the body. */
export function ledgerSubject(events: readonly { type: string; bead?: string | undefined }[]): string {
  const [first, ...others] = events;
  if (first === undefined) return "no events";
  if (others.length === 0) return plainText(`${first.type} ${first.bead ?? ""}`);
  const types = [...new Set(events.map(({ type }) => type))];
  const shown = types.slice(0, SHOWN_TYPES).join(", ");
  return plainText(`${events.length} events: ${shown}${types.length > SHOWN_TYPES ? ", …" : ""}`);
}
