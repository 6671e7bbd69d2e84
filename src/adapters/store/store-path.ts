import { join } from "node:path";

/** Where the App keeps its database below `$KORYPH_HOME`. */
export function storePath(home: string): string {
  return join(home, "app", "koryph.db");
}
