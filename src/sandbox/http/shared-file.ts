import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A file that the package brings along, wherever in it this code lies: the built programs are bundled. */
export function sharedFile(name: string): string {
  const root = dirname(createRequire(import.meta.url).resolve("koryph/package.json"));
  return readFileSync(join(root, "share", name), "utf8");
}
