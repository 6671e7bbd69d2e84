import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line as a person would, in a folder, without a terminal. */
export function koryph(folder: string, ...args: string[]): Ended {
  return koryphWith({}, folder, ...args);
}

export function koryphWith(env: NodeJS.ProcessEnv, folder: string, ...args: string[]): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: "1",
      KORYPH_MEMINFO: "/dev/null",
      ...env,
    },
  });
  return { code: status, stdout, stderr };
}
