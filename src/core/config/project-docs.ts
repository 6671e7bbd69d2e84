import { projectJsonSchema } from "./project-schema.js";

interface Node {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
}

/** The text of `docs/schema/koryph.project.schema.json`. */
export function projectSchemaText(): string {
  return `${JSON.stringify(projectJsonSchema(), null, 2)}\n`;
}

/** One markdown table row per key, nested ones included, for `docs/configuration.md`. */
export function configurationTable(): string {
  const rows = keys(projectJsonSchema() as Node, "").map(
    ({ key, node, required }) =>
      `| \`${key}\` | ${typeOf(node)} | ${required ? "**required**" : defaultOf(node)} | ${node.description ?? ""} |`,
  );
  return ["| key | value | default | meaning |", "|---|---|---|---|", ...rows, ""].join("\n");
}

interface Key {
  readonly key: string;
  readonly node: Node;
  readonly required: boolean;
}

function keys(node: Node, prefix: string): Key[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const key = `${prefix}${name}`;
    const here = { key, node: child, required: node.required?.includes(name) ?? false };
    const values = typeof child.additionalProperties === "object" ? child.additionalProperties : {};
    return [
      here,
      ...keys(child, `${key}.`),
      ...keys(values, `${key}.<name>.`),
      ...keys(child.items ?? {}, `${key}[].`),
    ];
  });
}

function typeOf(node: Node): string {
  if (node.anyOf) return node.anyOf.map(typeOf).join(" or ");
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum) return node.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (node.type === "array") return `list of ${typeOf(node.items ?? {})}`;
  if (node.type === "object" && typeof node.additionalProperties === "object") {
    return `map to ${typeOf(node.additionalProperties)}`;
  }
  return String(node.type ?? "any");
}

function defaultOf(node: Node): string {
  return node.default === undefined ? "" : `\`${JSON.stringify(node.default)}\``;
}
