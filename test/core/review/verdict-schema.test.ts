import { expect, test } from "vitest";
import { z } from "zod";
import { VERDICT_SCHEMA, Verdict } from "../../../src/core/review/verdict.js";

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** What a schema says about names, nesting and words; not about lengths and bounds. */
function outline({ properties, items, ...rest }: Schema): unknown {
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, outline(inner)]));
  if (items !== undefined) return [outline(items)];
  return rest.enum ?? null;
}

function objects(schema: Schema): Schema[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return [...(schema.properties ? [schema] : []), ...inner.flatMap(objects)];
}

test("the schema for runtimes has the fields and words of the verdict", () => {
  expect(outline(VERDICT_SCHEMA)).toEqual(outline(z.toJSONSchema(Verdict) as Schema));
});

test("the schema for runtimes is strict: every property required, no other allowed", () => {
  expect(objects(VERDICT_SCHEMA)).toHaveLength(3);
  for (const { properties = {}, required, additionalProperties } of objects(VERDICT_SCHEMA)) {
    expect(required).toEqual(Object.keys(properties));
    expect(additionalProperties).toBe(false);
  }
});

test.each<{ name: string; change: object; valid: boolean }>([
  { name: "as it is", change: {}, valid: true },
  { name: "with other keys", change: { model: "x" }, valid: true },
  { name: "without criteria", change: { criteria: undefined }, valid: false },
  { name: "without blocking", change: { blocking: undefined }, valid: false },
  {
    name: "with a finding about no file",
    change: { findings: [{ severity: "minor", summary: "x" }] },
    valid: true,
  },
  {
    name: "with an unknown severity",
    change: { findings: [{ severity: "nit", summary: "x" }] },
    valid: false,
  },
  {
    name: "with an unknown status",
    change: { criteria: [{ id: "AC1", status: "ok", evidence: "" }] },
    valid: false,
  },
  {
    name: "with line 0",
    change: { findings: [{ severity: "minor", file: "", line: 0, summary: "x" }] },
    valid: false,
  },
])("a kept verdict $name is valid: $valid", ({ change, valid }) => {
  expect(Verdict.safeParse({ blocking: false, criteria: [], findings: [], ...change }).success).toBe(valid);
});
