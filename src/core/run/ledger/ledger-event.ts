import { z } from "zod";
import { parseBeadId } from "../../model/bead.js";
import { PLAINLY } from "../../model/plainly.js";
import { EVENT_DATA, type EventData, type EventType } from "./event-data.js";
import { Evidence } from "./evidence.js";

interface Envelope {
  /** ULID. A repeat is ignored; position in the chain orders events, never the clock. */
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly run?: string | undefined;
  readonly bead?: string | undefined;
  /** The lease under which an engine wrote it. Once that lease is gone the event comes too late and counts for nothing. */
  readonly lease?: string | undefined;
  readonly critical?: true | undefined;
  /** For a critical event: the version that understands it. */
  readonly needs?: string | undefined;
  readonly evidence?: Evidence | undefined;
}

export type LedgerEvent = {
  [T in EventType]: Envelope & { readonly type: T; readonly data: EventData<T> };
}[EventType];

/** An event before the ledger gave it its id, time and author. Rolling is the ledger's own affair. */
export type NewEvent = {
  [T in Exclude<EventType, "ledger.rolled">]: {
    readonly type: T;
    readonly data: z.input<(typeof EVENT_DATA)[T]>;
    readonly run?: string | undefined;
    readonly bead?: string | undefined;
    readonly lease?: string | undefined;
    /** Given by whoever may have to write the same event twice: a repeated id counts once. */
    readonly id?: string;
    /** On whose behalf; whoever writes it, unless told. */
    readonly actor?: string;
    readonly evidence?: Evidence;
  };
}[Exclude<EventType, "ledger.rolled">];

const EnvelopeSchema = z.object({
  id: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/),
  at: z.string(),
  actor: z.string(),
  type: z.string(),
  // Both become folder names, and whoever can push can write anything here.
  run: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
    .optional(),
  bead: z
    .string()
    .refine((bead) => parseBeadId(bead) !== null)
    .optional(),
  lease: z.string().optional(),
  critical: z.literal(true).optional(),
  needs: z.string().optional(),
  evidence: Evidence.optional(),
  data: z.unknown(),
});

export type EventReading =
  | { readonly kind: "event"; readonly event: LedgerEvent }
  | {
      readonly kind: "unknown";
      readonly id: string;
      readonly type: string;
      readonly critical: boolean;
      /** The version that knows it; empty where it does not say. */
      readonly needs: string;
    }
  | { readonly kind: "quarantined"; readonly reason: string };

const LONGEST_LINE = 262_144;

/** After so many lines compiling pays: a long ledger is read in less than half the time, a short one in twice the time. */
const MOST_PLAIN = 2_000;
/** Zod compiles unless told. Being told at all costs it as much again. */
const COMPILED = undefined;

export type EventReader = (line: string) => EventReading;

/** Reads the lines of a ledger, one after the other. It counts them: for the next ledger, ask for another one. */
export function eventReader(): EventReader {
  let lines = 0;
  return (line) => {
    lines += 1;
    return readLine(line, lines > MOST_PLAIN ? COMPILED : PLAINLY);
  };
}

/** One line of the ledger. Never throws: whoever can push can write anything there. */
export function readEvent(line: string): EventReading {
  return readLine(line, PLAINLY);
}

function readLine(line: string, how: typeof PLAINLY | typeof COMPILED): EventReading {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { kind: "quarantined", reason: "not JSON" };
  }
  const envelope = EnvelopeSchema.safeParse(json, how);
  if (!envelope.success) return { kind: "quarantined", reason: reasonOf(envelope.error) };
  const { type, data, id, critical, needs } = envelope.data;
  // Whoever can push could otherwise make everybody carry books around. A roll carries everything, and comes first.
  if (line.length > LONGEST_LINE && type !== "ledger.rolled")
    return { kind: "quarantined", reason: `${type}: longer than ${LONGEST_LINE} characters` };
  if (!Object.hasOwn(EVENT_DATA, type)) {
    return { kind: "unknown", id, type, critical: critical === true, needs: needs ?? "" };
  }
  const parsed = EVENT_DATA[type as EventType].safeParse(data, how);
  // A critical event that cannot be read is as good as one of an unknown type: going on without it is not safe.
  if (!parsed.success && critical === true)
    return { kind: "unknown", id, type, critical, needs: needs ?? "" };
  if (!parsed.success) return { kind: "quarantined", reason: `${type}: ${reasonOf(parsed.error)}` };
  return { kind: "event", event: { ...envelope.data, type, data: parsed.data } as LedgerEvent };
}

/** An event as it goes into the ledger. */
export type StampedEvent = LedgerEvent | (NewEvent & Pick<Envelope, "id" | "at" | "actor">);

/** Throws when we ourselves are about to write an event that we could not read. */
export function writeEvent(event: StampedEvent): string {
  if (event.bead !== undefined && parseBeadId(event.bead) === null)
    throw new Error(`an event about ${JSON.stringify(event.bead)}, which is no bead`);
  return JSON.stringify({ ...event, data: EVENT_DATA[event.type].parse(event.data) });
}

function reasonOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
