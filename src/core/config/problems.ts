import type { z } from "zod";
import { cutText } from "../../lib/cut-text.js";
import { nearest } from "../../lib/nearest.js";
import { plainText } from "../../lib/plain-text.js";

const LONGEST = 80;

/** One thing wrong with a text from outside: where, what stands there, what would be right. */
export interface Problem {
  readonly key: string;
  readonly found: string;
  readonly need: string;
}

/** The key of a problem with everything. */
export const WHOLE = "the file";

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

/** All problems, in the order of the schema. `schema` is the JSON Schema whose keys are offered as suggestions. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], data: unknown, schema: object): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const inside = insideUnion(issue);
    if (inside !== null) return problemsOf(inside, data, schema);
    if (issue.code !== "unrecognized_keys") {
      return [{ key: keyOf(issue.path), found: shown(valueAt(data, issue.path)), need: needOf(issue) }];
    }
    const known = Object.keys(nodeAt(schema, issue.path)?.properties ?? {});
    return issue.keys.map((key) => {
      const meant = nearest(key, known);
      return {
        key: keyOf([...issue.path, key]),
        found: `${shown(valueAt(data, [...issue.path, key]))} under an unknown key`,
        need:
          meant === null ? `one of the keys ${known.join(", ")}` : `the key ${meant} (did you mean that?)`,
      };
    });
  });
}

/** What is wrong inside an object that a union takes as well; null where no form, or more than one, is an object. */
function insideUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue[] | null {
  if (issue.code !== "invalid_union") return null;
  const forms = issue.errors.filter((issues) =>
    issues.every(({ code, path }) => path.length > 0 || code === "unrecognized_keys"),
  );
  const [form] = forms;
  if (form === undefined || forms.length > 1) return null;
  return form.map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
}

function needOf(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}

/** `gate[0]`, `runtimes.codex.prices`: as one would write it in code. */
export function keyOf(path: readonly PropertyKey[]): string {
  const key = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return key === "" ? WHOLE : cutText(plainText(key.replace(/^\./, "")), LONGEST);
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = data;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

function nodeAt(schema: object, path: readonly PropertyKey[]): Node | null {
  let node: Node | undefined = schema as Node;
  for (const step of path) {
    node = node?.anyOf?.find(({ properties }) => properties !== undefined) ?? node;
    const rest: Node | boolean | undefined = node?.additionalProperties;
    node =
      typeof step === "number"
        ? node?.items
        : (node?.properties?.[String(step)] ?? (rest as Node | undefined));
  }
  return node?.anyOf?.find(({ properties }) => properties !== undefined) ?? node ?? null;
}

/** A value from outside as a person is told of it: one line, not too long. */
export function shown(value: unknown): string {
  return value === undefined ? "nothing" : cutText(plainText(jsonStart(value, LONGEST + 1)), LONGEST);
}

/** The first characters of the value's JSON, so that neither its size nor its depth matters. */
function jsonStart(value: unknown, room: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, room));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  for (const [index, key] of Object.keys(value).entries()) {
    if (text.length >= room) return text;
    if (index > 0) text += ",";
    if (!isList) text += `${JSON.stringify(key.slice(0, room))}:`;
    text += jsonStart((value as Record<string, unknown>)[key], room - text.length);
  }
  return `${text}${isList ? "]" : "}"}`;
}
