import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A file of this package, wherever in it the calling code lies: the built programs are bundled. */
export function packagePath(path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("koryph/package.json")), path);
}
