import { cleanPath } from "../../lib/paths/clean-path.js";

/** What the tokens of a footprint say about paths. */
export interface DeclaredPlaces {
  /** Files and folders. */
  readonly places: readonly string[];
  /** Single words that may be the name of a file or folder at the root; only the repository can tell. */
  readonly words: readonly string[];
  /** Some token is no path, such as `domain:payments`: what it covers is nobody's to say. */
  readonly hasNames: boolean;
}

/** A token with a slash or a dot is a path, with one of `/`, `/*` and `/**` at its end or without. */
export function declaredPlaces(tokens: readonly string[]): DeclaredPlaces {
  const read = tokens.map((token) => ({ token, path: pathIn(token) }));
  const paths = read.flatMap(({ path }) => path ?? []);
  return {
    places: paths.filter(isSurelyPath),
    words: paths.filter((path) => !isSurelyPath(path)),
    hasNames: read.some(({ path }) => path === null),
  };
}

/** Whether the path is the place or lies below it. The root, which is empty, has everything below it. */
export function liesIn(path: string, place: string): boolean {
  return place === "" || path === place || path.startsWith(`${place}/`);
}

function isSurelyPath(path: string): boolean {
  return path === "" || /[/.]/.test(path);
}

function pathIn(token: string): string | null {
  const folder = token.replace(/(^|\/)\*\*?$/, "");
  if (/[:*?\\[\]{}\n]/.test(folder)) return null;
  return cleanPath(folder)?.join("/") ?? null;
}
