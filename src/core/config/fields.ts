import { z } from "zod";

/**
 * Building blocks for schemas whose messages say what would be right ("a whole number of at least 1")
 * instead of what zod expected. The value found is added where the message is shown.
 */
export function text(need: string, pattern?: RegExp) {
  const field = z.string({ error: need });
  return pattern ? field.regex(pattern, { error: need }) : field.min(1, { error: need });
}

export function wholeNumber(min: number, max?: number) {
  const need =
    max === undefined ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`;
  const field = z.int({ error: need }).min(min, { error: need });
  return max === undefined ? field : field.max(max, { error: need });
}

export function amount() {
  return z.number({ error: "a number of at least 0" }).min(0, { error: "a number of at least 0" });
}

export function flag() {
  return z.boolean({ error: "true or false" });
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `one of ${values.join(", ")}` });
}

export function listOf<T extends z.ZodType>(item: T, need: string) {
  return z.array(item, { error: need });
}

export function mapOf<K extends z.ZodType<string, string>, V extends z.ZodType>(
  key: K,
  value: V,
  need: string,
) {
  return z.record(key, value, { error: need });
}

export function block<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "invalid_type" ? "an object {…}" : undefined),
  });
}
