import { join } from "node:path";
import { z } from "zod";
import type { FinalAnswer, GateRequest } from "../../ports/gate.js";
import { writeAtomically } from "../files/write-atomically.js";
import { readIfThere } from "../process/slot-files.js";

/** What a check is about. Results in its folder count for exactly this head and these commands. */
const GateRecord = z.object({
  head: z.string(),
  commands: z.array(z.string()).readonly(),
  /** Carried by every process of this check and by no other on the machine. */
  marker: z.string().min(1),
  startedAt: z.number(),
  /** How often a command vanished without a result, so that its try had to begin again. */
  lost: z.int().nonnegative(),
  /** Somebody wanted it ended: how its commands end from now on says nothing about the code. */
  stopping: z.boolean(),
});
export type GateRecord = z.infer<typeof GateRecord>;

const CheckoutRecord = z.object({
  path: z.string(),
  realPath: z.string(),
  /** Tells this very folder from a later one in its place. */
  inode: z.number(),
  bornAt: z.number(),
});
export type CheckoutRecord = z.infer<typeof CheckoutRecord>;

const Place = z.object({ file: z.string(), line: z.number(), message: z.string() });
export const AnswerRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("green") }),
  z.object({
    kind: z.literal("red"),
    command: z.string(),
    code: z.number().nullable(),
    output: z.string(),
    places: z.array(Place).readonly(),
  }),
]);

/** The files of one check:
 *
 *     gate.json                 what is checked; written before anything else
 *     answer.json               what came of it; written before anybody hears of it
 *     <try>/checkout.json       where its files are; written before the first command starts
 *     <try>/home/               private HOME of its commands, removed at the end
 *     <try>/<n>/                the supervised process of its nth command
 */
export class GateFiles {
  readonly folder: string;

  constructor({ folder }: Pick<GateRequest, "folder">) {
    this.folder = folder;
  }

  tryFolder(number: number): string {
    return join(this.folder, String(number));
  }

  home(number: number): string {
    return join(this.tryFolder(number), "home");
  }

  commandFolder(number: number, index: number): string {
    return join(this.tryFolder(number), String(index + 1));
  }

  record(): GateRecord | null {
    return readGateFile(join(this.folder, "gate.json"), GateRecord);
  }

  answer(): FinalAnswer | null {
    return readGateFile(join(this.folder, "answer.json"), AnswerRecord);
  }

  checkout(number: number): CheckoutRecord | null {
    return readGateFile(join(this.tryFolder(number), "checkout.json"), CheckoutRecord);
  }

  writeRecord(record: GateRecord): Promise<void> {
    return writeAtomically(join(this.folder, "gate.json"), json(record));
  }

  writeAnswer(answer: FinalAnswer): Promise<void> {
    return writeAtomically(join(this.folder, "answer.json"), json(answer));
  }

  writeCheckout(number: number, checkout: CheckoutRecord): Promise<void> {
    return writeAtomically(join(this.tryFolder(number), "checkout.json"), json(checkout));
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Null when it is not there, or cut off by a crash of the machine: then it is as if it had never been written. */
export function readGateFile<T>(path: string, schema: z.ZodType<T>): T | null {
  const text = readIfThere(path);
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
