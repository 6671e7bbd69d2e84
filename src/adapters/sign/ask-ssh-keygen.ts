import { execFile } from "node:child_process";
import { signingAdvice } from "../../core/replies/sign/signing.js";
import { UserError } from "../../lib/user-error.js";

export interface KeygenAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs ssh-keygen with a message on its input; a non-zero exit is an answer. Throws a `UserError` where there is none. */
export function askSshKeygen(
  args: readonly string[],
  message: Uint8Array,
  socket?: string,
): Promise<KeygenAnswer> {
  // Built from nothing: what reads or holds keys needs no settings of anybody.
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", LC_ALL: "C", SSH_AUTH_SOCK: socket };
  return new Promise((resolve, reject) => {
    const child = execFile("ssh-keygen", [...args], { env }, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr });
      if (error.code === "ENOENT") return reject(UserError.of(signingAdvice.noTool("ssh-keygen")));
      resolve({ code: typeof error.code === "number" ? error.code : 255, stdout, stderr });
    });
    // It may end before it has read everything; its exit code says why.
    child.stdin?.on("error", () => {});
    child.stdin?.end(message);
  });
}
