import type { z } from "zod";
import { PLAINLY } from "../model/plainly.js";

/** Null for a text that is no JSON of this form: which account it names cannot be told. */
export function readAccountFile<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text), PLAINLY).data ?? null;
  } catch {
    return null;
  }
}
