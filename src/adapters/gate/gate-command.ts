import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { findBinary } from "../runtimes/find-binary.js";

export interface GateCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Both streams in one file, in the order they were written. */
const PLAIN = 'exec 2>&1; exec /bin/sh -c "$1"';
const WITH_DIRENV = 'exec 2>&1; "$2" allow . && exec "$2" exec . /bin/sh -c "$1"';

/**
 * How a command is started in a checkout: through direnv where the repository has an `.envrc` and the machine
 * has direnv. The permission to load it is given in the private HOME, so it ends with the check.
 */
export async function gateCommand(
  command: string,
  checkout: string,
  env: Readonly<Record<string, string>>,
): Promise<GateCommand> {
  const direnv = (await hasEnvrc(checkout))
    ? await findBinary("direnv", { root: checkout, path: env.PATH })
    : null;
  if (direnv === null) return { argv: ["/bin/sh", "-c", PLAIN, "gate", command], env };
  return {
    argv: ["/bin/sh", "-c", WITH_DIRENV, "gate", command, direnv],
    // Without it direnv's own remarks stand between the lines of every command.
    env: { ...env, DIRENV_LOG_FORMAT: "" },
  };
}

async function hasEnvrc(checkout: string): Promise<boolean> {
  return (await lstat(join(checkout, ".envrc")).catch(() => null)) !== null;
}
