import { z } from "zod";
import { AccountPin } from "../govern/account-pin.js";
import { PLAINLY } from "../model/plainly.js";
import { block } from "./fields.js";
import { readJson } from "./read-json.js";

const time = z.iso.datetime({ error: "a time such as 2026-01-31T12:00:00.000Z" });

/** One project that this machine knows: `registry.d/<id>.json`. */
export const RegistryEntry = block({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, { error: "a project id" }),
  /** The operator's checkout. */
  root: z.string().regex(/^\//, { error: "an absolute path" }),
  /** Null where the repository has no remote. Never with a password in it. */
  remote: z.string().nullable(),
  registered_at: time,
  last_run: block({ id: z.string(), at: time }).nullable(),
  /**
   * Whose account agents work on, by runtime; absent where nothing is pinned. A koryph from before refuses an entry that
   * has it, which it must: it would not look.
   */
  accounts: z
    .record(z.string().regex(/^[a-z][a-z0-9-]*$/, { error: "a runtime's name" }), AccountPin)
    .optional(),
});
export type RegistryEntry = z.infer<typeof RegistryEntry>;

export type RegistryReading =
  | { readonly kind: "entry"; readonly entry: RegistryEntry }
  | { readonly kind: "wrong"; readonly problem: string };

/** `id` is what the file's name says; a file that says otherwise inside is wrong. */
export function readRegistryEntry(id: string, text: string): RegistryReading {
  const json = readJson(text);
  if (json.kind === "not-json") return { kind: "wrong", problem: json.problem };
  const parsed = RegistryEntry.safeParse(json.data, PLAINLY);
  if (!parsed.success) {
    const needs = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
    return { kind: "wrong", problem: needs.join("; ") };
  }
  if (parsed.data.id !== id) return { kind: "wrong", problem: `it names the project ${parsed.data.id}` };
  return { kind: "entry", entry: parsed.data };
}
