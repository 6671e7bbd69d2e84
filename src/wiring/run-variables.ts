import type { ProjectConfig } from "../core/config/project-schema.js";
import { projectAdvice } from "../core/replies/config/project.js";
import { UserError } from "../lib/user-error.js";

/** The first wait after an agent died, as the environment sets it; undefined leaves it to the rules. */
export function backoffSeconds(env: NodeJS.ProcessEnv): number | undefined {
  return wholeSeconds(env, "KORYPH_BACKOFF_SEC", { least: 0, example: 15 });
}

/** The settings in force: what the environment says comes before the project file. */
export function withVariables(config: ProjectConfig, env: NodeJS.ProcessEnv): ProjectConfig {
  const poll_seconds = wholeSeconds(env, "KORYPH_POLL_SEC", { least: 1, example: 10 });
  return poll_seconds === undefined ? config : { ...config, poll_seconds };
}

function wholeSeconds(
  env: NodeJS.ProcessEnv,
  variable: string,
  { least, example }: { readonly least: number; readonly example: number },
): number | undefined {
  const value = env[variable] ?? "";
  if (value === "") return undefined;
  if (/^\d{1,6}$/.test(value) && Number(value) >= least) return Number(value);
  const floor = least === 0 ? "" : ` of at least ${least}`;
  const need = `a whole number of seconds${floor}, such as ${example}`;
  throw UserError.of(projectAdvice.wrongVariable(variable, value, need));
}
