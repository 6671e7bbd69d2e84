import { z } from "zod";
import { PLAINLY } from "../model/plainly.js";

/** One request of a batch, as the Message Batches API takes it. Further parameters are passed on. */
const BatchRequest = z.strictObject({
  custom_id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "1 to 64 letters, digits, _ or -" }),
  params: z.looseObject({
    model: z.string({ error: "the name of a model" }).min(1, { error: "the name of a model" }),
    max_tokens: z.int({ error: "a whole number" }).min(1, { error: "at least 1" }),
    messages: z.array(z.unknown(), { error: "a list" }).min(1, { error: "at least one message" }),
  }),
});
export type BatchRequest = z.infer<typeof BatchRequest>;

/** The most that the API takes at once. */
const MOST_REQUESTS = 100_000;

export type BatchReading =
  | { readonly kind: "requests"; readonly requests: readonly BatchRequest[] }
  | { readonly kind: "wrong"; readonly line: number; readonly problem: string }
  | { readonly kind: "empty" }
  | { readonly kind: "too-many"; readonly count: number };

/** The requests of a file, one on each line; empty lines count for nothing. The first mistake ends the reading. */
export function readBatchFile(text: string): BatchReading {
  const requests: BatchRequest[] = [];
  const lines = new Map<string, number>();
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const read = readRequest(line);
    if (typeof read === "string") return { kind: "wrong", line: index + 1, problem: read };
    const before = lines.get(read.custom_id);
    if (before !== undefined)
      return { kind: "wrong", line: index + 1, problem: `custom_id: the same as on line ${before}` };
    lines.set(read.custom_id, index + 1);
    requests.push(read);
  }
  if (requests.length === 0) return { kind: "empty" };
  if (requests.length > MOST_REQUESTS) return { kind: "too-many", count: requests.length };
  return { kind: "requests", requests };
}

/** A text says what is wrong. */
function readRequest(line: string): BatchRequest | string {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return "it is not JSON";
  }
  const parsed = BatchRequest.safeParse(json, PLAINLY);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${issue?.path.join(".") || "it"}: ${issue?.message ?? "not a request"}`;
}
