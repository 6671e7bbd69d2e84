import type { z } from "zod";

/** Null for anything that is not an object of the schema: warnings and half lines get into every stream. */
export function readJsonLine<T>(schema: z.ZodType<T>, line: string): T | null {
  if (!line.trimStart().startsWith("{")) return null;
  try {
    return schema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
