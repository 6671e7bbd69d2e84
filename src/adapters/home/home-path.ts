import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** `$KORYPH_HOME`, or `~/.koryph`; nothing is looked at. Null when what was chosen is no absolute path. */
export function homePath(env: NodeJS.ProcessEnv): string | null {
  const chosen = env.KORYPH_HOME;
  if (chosen === undefined || chosen === "") return join(env.HOME || homedir(), ".koryph");
  return isAbsolute(chosen) ? chosen : null;
}
