import type { Route } from "./route.js";

interface Pattern {
  readonly route: Route;
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly literals: number;
}

/** Names that stand for more than one segment of a path. */
const WHOLE = new Set(["ref", "path", "branch", "basehead"]);

export type FindRoute = (
  method: string,
  path: string,
) => { readonly route: Route; readonly params: Readonly<Record<string, string>> } | null;

/** Where several fit, the one with the most fixed segments is meant. */
export function makeRouter(routes: readonly Route[]): FindRoute {
  const patterns = routes.map(compile).sort((a, b) => b.literals - a.literals);
  return (method, path) => {
    for (const { route, expression, names } of patterns) {
      if (route.method !== method) continue;
      const match = expression.exec(path);
      if (match === null) continue;
      const values = names.map((name, index) => [name, decode(match[index + 1] ?? "")]);
      return { route, params: Object.fromEntries(values) };
    }
    return null;
  };
}

function compile(route: Route): Pattern {
  const names: string[] = [];
  const segments = route.path.split("/").slice(1);
  const source = segments.map((segment) =>
    segment.replace(/\{(\w+)\}|[^{}]+/g, (text, name: string | undefined) => {
      if (name === undefined) return text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
      names.push(name);
      return WHOLE.has(name) ? "(.*)" : "([^/]+)";
    }),
  );
  const literals = segments.filter((segment) => !segment.startsWith("{")).length;
  // Of `contents/{path}` the root is asked for without a path, and without the slash before it.
  const whole = source.join("/").replace(names.at(-1) === "path" ? /\/\(\.\*\)$/ : /$^/, "(?:/(.*))?");
  return { route, expression: new RegExp(`^/${whole}$`), names, literals };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
