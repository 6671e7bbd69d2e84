import { projectAdvice } from "../../core/replies/config/project.js";
import { UserError } from "../../lib/user-error.js";

const VARIABLE = "KORYPH_BACKOFF_SEC";

/** The first wait after an agent died, as the environment sets it; undefined leaves it to the rules. */
export function backoffSeconds(env: NodeJS.ProcessEnv): number | undefined {
  const value = env[VARIABLE] ?? "";
  if (!/^\d{0,6}$/.test(value))
    throw UserError.of(projectAdvice.wrongVariable(VARIABLE, value, "a whole number of seconds, such as 15"));
  return value === "" ? undefined : Number(value);
}
