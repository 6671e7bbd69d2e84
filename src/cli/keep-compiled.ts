import { existsSync } from "node:fs";
import { join } from "node:path";
import { homePath } from "../adapters/home/home-path.js";

/** What Node's own `node:module` has of it: nothing before 22.8. */
export interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Has Node keep in koryph's home what it compiles from here on, which is the command that is asked for: the next start
 * need not compile it again. Not before a project is in that home: nobody who only looks gets one. Where nothing can be
 * written, Node goes on without.
 */
export function keepCompiled({ enableCompileCache }: CompileCache, env: NodeJS.ProcessEnv): void {
  const home = homePath(env);
  if (enableCompileCache === undefined || home === null || !existsSync(join(home, "projects"))) return;
  enableCompileCache(join(home, "compiled"));
}
