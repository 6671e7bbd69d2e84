import { execFile } from "node:child_process";
import { UserError } from "../../lib/user-error.js";

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables git may see. Everything else, `GIT_DIR` of a calling hook above all, would steer it elsewhere. */
const PASSED_ON = ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"];

/** Runs git in a folder and returns what it said; a non-zero exit is an answer, not an exception. */
export function runGit(folder: string, args: readonly string[]): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: gitEnvironment(), maxBuffer: 256 * 1024 * 1024 };
    execFile("git", [...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr });
      if (typeof error.code === "number") return resolve({ code: error.code, stdout, stderr });
      if (error.code === "ENOENT")
        return reject(new UserError("git was not found", "install git and try again"));
      reject(error);
    });
  });
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" };
  for (const name of PASSED_ON) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}
