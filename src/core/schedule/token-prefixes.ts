import type { TokenBook } from "./token-book.js";

/** A path that other tokens lie below, and the first of those. */
export interface TokenPrefix {
  readonly token: string;
  readonly below: readonly string[];
}

const SHOWN_PREFIXES = 20;
const SHOWN_BELOW = 10;
/** Deeper folders than any repository has; a token is only somebody's text. */
const DEEPEST = 64;

/**
 * Tokens that are a folder of another one, at most twenty, by name: koryph compares tokens exactly, so
 * these do not keep each other's beads apart. Where both are only read, nothing is missed.
 */
export function tokenPrefixes(book: TokenBook): TokenPrefix[] {
  const found = new Map<string, string[]>();
  for (const token of book.tokens()) {
    for (const folder of foldersOf(token)) {
      if (!book.has(folder) || !(book.isWritten(folder) || book.isWritten(token))) continue;
      const below = found.get(folder);
      if (below) below.push(token);
      else found.set(folder, [token]);
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, SHOWN_PREFIXES)
    .map(([token, below]) => ({ token, below: below.sort().slice(0, SHOWN_BELOW) }));
}

/** With and without its last slash, since people write both. */
function foldersOf(token: string): string[] {
  const folders: string[] = [];
  let slash = token.indexOf("/", 1);
  for (let depth = 0; slash !== -1 && depth < DEEPEST; depth += 1) {
    folders.push(token.slice(0, slash));
    if (slash + 1 < token.length) folders.push(token.slice(0, slash + 1));
    slash = token.indexOf("/", slash + 1);
  }
  return folders;
}
