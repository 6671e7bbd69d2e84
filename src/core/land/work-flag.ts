import { z } from "zod";

const FLAG_KINDS = [
  "undeclared",
  "in-flight",
  "executable",
  "attributes",
  "bidi-text",
  "many-files",
] as const;
export type FlagKind = (typeof FLAG_KINDS)[number];

/** Something about a bead's commits that a person should look at, and that keeps nothing from landing. */
export const WorkFlag = z.object({
  kind: z.enum(FLAG_KINDS),
  /** The first few. */
  paths: z.array(z.string()).max(100),
  /** How many there are. */
  total: z.int().min(1),
  /** With `in-flight`: whose footprint they belong to. */
  bead: z.string().optional(),
});
export type WorkFlag = z.infer<typeof WorkFlag>;

export const WorkFlags = z.array(WorkFlag).max(100).optional().catch(undefined);

const MOST_PATHS = 10;
const LONGEST_PATH = 200;

/** As the ledger keeps it; null where there is nothing to look at. */
export function workFlag(kind: FlagKind, paths: readonly string[], bead?: string): WorkFlag | null {
  if (paths.length === 0) return null;
  const shown = paths.slice(0, MOST_PATHS).map((path) => path.slice(0, LONGEST_PATH));
  return { kind, paths: shown, total: paths.length, ...(bead !== undefined && { bead }) };
}
