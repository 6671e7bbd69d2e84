/**
 * The one text that a value has: no white space, members sorted by their names' UTF-16 units, as RFC 8785 has it. Two
 * programs that agree on a value agree on its bytes, so that a signature over them means the value.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return scalar(value);
  const members = Object.entries(value)
    .filter(([, held]) => held !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, held]) => `${JSON.stringify(name)}:${canonicalJson(held)}`);
  return `{${members.join(",")}}`;
}

function scalar(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined || (typeof value === "number" && !Number.isFinite(value)))
    throw new TypeError(`${String(value)} has no place in JSON`);
  return text;
}
