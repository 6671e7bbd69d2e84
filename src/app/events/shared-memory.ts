import { z } from "zod";
import type { ThreadReply } from "../../comments/hide-superseded.js";
import type { ToldCap } from "../../comments/let-through.js";
import { OUTCOME_PLACE } from "../../comments/reply-once.js";
import { readRecalled } from "../../core/commands/read-recalled.js";
import { FollowedBeads } from "../../core/control/followed-beads.js";
import type { ReplyRow } from "../../core/replies/commands/reply-row.js";

/** The rows of a reply. */
export const KeptRows = z.array(
  z.object({
    ...{ text: z.string(), verb: z.string(), code: z.string(), said: z.string(), next: z.string() },
    result: z.enum(["done", "queued", "dry-run", "refused", "wrong", "skipped"]),
    request: z.string().exactOptional(),
    more: z.string(),
  }),
) satisfies z.ZodType<ReplyRow[]>;

/** What became of what a row asked for, as far as a run gets to know it: it asks no runner for an analysis. */
const Outcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["unheard", "landing", "analysing", "lost"]) }),
  z.object({ kind: z.enum(["seen", "taken"]), at: z.string() }),
  z.object({ kind: z.literal("answered"), at: z.string(), code: z.string(), note: z.string() }),
  z.object({
    ...{ kind: z.literal("landed"), at: z.string(), head: z.string() },
    approved: z.string().optional(),
  }),
  z.object({
    ...{ kind: z.literal("unlanded"), at: z.string(), code: z.string() },
    ...{ note: z.string(), next: z.string() },
  }),
]);

const Cap = z.object({ comment: z.string(), at: z.number() }) satisfies z.ZodType<ToldCap>;

const Replies = z.array(
  z.object({
    ...{ to: z.string(), id: z.int().positive() },
    rows: z.array(z.object({ text: z.string(), verb: z.string(), request: z.string().exactOptional() })),
  }),
) satisfies z.ZodType<ThreadReply[]>;

interface Kind {
  readonly names: RegExp;
  readonly places: (place: number) => boolean;
  readonly isReadable: (value: string) => boolean;
}

/** What is about a comment goes by its name: `comment 123`. */
const COMMENT = /^(comment|review|review-comment) \d+$/;
const anywhere = () => true;

/**
 * What the next workflow run has to know of what was decided here. Who asked for a landing it proves anew by GitHub, and
 * what was shown it finds there; what a runner was asked for nobody may believe who reads it in the ledger.
 */
const KINDS: readonly Kind[] = [
  { names: COMMENT, places: (place) => place >= 0, isReadable: (value) => readRecalled(value) !== null },
  {
    names: COMMENT,
    places: (place) => place === OUTCOME_PLACE,
    isReadable: reads(z.array(Outcome.nullable())),
  },
  { names: /^capped /, places: anywhere, isReadable: reads(Cap) },
  { names: /^shown /, places: anywhere, isReadable: (value) => /^(closed|open) \d+$/.test(value) },
  { names: /^beads /, places: anywhere, isReadable: reads(FollowedBeads) },
  { names: /^replies /, places: anywhere, isReadable: reads(Replies) },
];

export function isShared(name: string, place: number): boolean {
  return kindOf(name, place) !== undefined;
}

/** Whoever can push can write it: what is none of ours, or not as we write it, counts as not there. */
export function isSharedReadable(name: string, place: number, value: string): boolean {
  return kindOf(name, place)?.isReadable(value) ?? false;
}

function kindOf(name: string, place: number): Kind | undefined {
  return KINDS.find(({ names, places }) => names.test(name) && places(place));
}

function reads(schema: z.ZodType): (value: string) => boolean {
  return (value) => readShared(schema, value) !== null;
}

/** JSON of that form; null for anything else. */
export function readShared<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
