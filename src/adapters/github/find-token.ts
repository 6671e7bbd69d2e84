import { execFile } from "node:child_process";

/** `gh` reads a file, or asks the system's keyring; it may be waiting for somebody to unlock that. */
const TIMEOUT_MS = 15_000;

/**
 * The operator's own token: of the environment, else the one that GitHub's command line keeps. It is asked for when it
 * is needed and stored nowhere. Null when there is none.
 */
export async function findToken(host: string, env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const given = [env.GITHUB_TOKEN, env.GH_TOKEN].map((token) => token?.trim() ?? "");
  return given.find((token) => token !== "") ?? (await tokenOfGh(host, env));
}

function tokenOfGh(host: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    const settings = { env, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024, windowsHide: true };
    const child = execFile("gh", ["auth", "token", "--hostname", host], settings, (error, stdout) => {
      // Not installed, not logged in, too slow: each means that there is none to be had here.
      const token = error === null ? stdout.trim() : "";
      resolve(/^[\w.-]+$/.test(token) ? token : null);
    });
    child.stdin?.end();
  });
}
