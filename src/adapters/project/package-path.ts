import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file of this package, wherever in it the calling code lies: the built programs are bundled. */
export function packagePath(path: string): string {
  return join(packageRoot(import.meta.dirname), path);
}

/** By hand: to have Node resolve the package takes longer than all else that prints the version. */
function packageRoot(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : packageRoot(dirname(folder));
}
