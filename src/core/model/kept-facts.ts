import { z } from "zod";
import { cutText } from "../../lib/cut-text.js";

const MOST_NAMES = 10;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 500;
const LONGEST_FACTS = 8_000;

/**
 * What a sentence in the ledger was made of, for programs. Whatever is wrong with it is left out: the sentence beside
 * it says the same, and a koryph from before it was kept takes the event, so this one must, too.
 */
export const KeptFacts = z
  .record(z.string(), z.json())
  .refine((facts) => JSON.stringify(facts).length <= LONGEST_FACTS)
  .optional()
  .catch(undefined);

/** Stable, for programs: which sentence it is. */
export const KeptCode = z.string().max(64).optional().catch(undefined);

type Fact = string | number | boolean | null | readonly string[] | Facts;
export type Facts = { readonly [name: string]: Fact };

type KeptFact = string | number | boolean | null | string[] | { [name: string]: KeptFact };

/** As much of the facts as is kept. */
export function keptFacts(facts: Facts): { [name: string]: KeptFact } {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, kept(value)]));
}

function kept(value: Fact): KeptFact {
  if (typeof value === "string") return cutText(value, LONGEST_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.slice(0, MOST_NAMES).map((name) => cutText(name, LONGEST_NAME));
  return keptFacts(value);
}

function isList(value: readonly string[] | Facts): value is readonly string[] {
  return Array.isArray(value);
}
