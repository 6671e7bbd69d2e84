import type { Schema } from "./api-description.js";

/**
 * Where a value has fields that its schema does not name, as `body.output.titel`. GitHub's schemas mostly allow any
 * field and GitHub ignores what it does not know, so a slip of the pen would go unnoticed.
 */
export function unknownFields(
  schema: Schema,
  value: unknown,
  where: string,
  resolve: (ref: string) => Schema,
): string[] {
  const shapes = shapesOf(schema, resolve);
  if (Array.isArray(value)) {
    const items = shapes.flatMap((shape) => (shape.items === undefined ? [] : [shape.items]));
    if (items.length === 0) return [];
    return value.flatMap((item, at) => unknownFields({ anyOf: items }, item, `${where}[${at}]`, resolve));
  }
  if (value === null || typeof value !== "object") return [];
  const named = new Map<string, Schema[]>();
  for (const { properties = {} } of shapes) {
    for (const [name, property] of Object.entries(properties)) {
      named.set(name, [...(named.get(name) ?? []), property]);
    }
  }
  // An object without a single named field is a free one: the inputs of a workflow, a client's payload.
  if (named.size === 0 || shapes.some((shape) => typeof shape.additionalProperties === "object")) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const known = named.get(name);
    return known === undefined
      ? [`${where}.${name}`]
      : unknownFields({ anyOf: known }, field, `${where}.${name}`, resolve);
  });
}

/** A schema and all that it may be, references followed. A value that fits any of them is well known. */
function shapesOf(schema: Schema, resolve: (ref: string) => Schema): Schema[] {
  const target = schema.$ref === undefined ? schema : resolve(schema.$ref);
  const { allOf = [], anyOf = [], oneOf = [] } = target;
  return [target, ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => shapesOf(part, resolve))];
}
