import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, vi } from "vitest";
import type { SshKey } from "./ssh-keys.js";

/** A program beside us: what blocked this process would keep the signer in it from answering. */
export function beside(
  program: string,
  args: readonly string[],
  socket: string | undefined,
  input = "",
): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, SSH_AUTH_SOCK: socket };
    const child = execFile(program, [...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` }),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** The operator's own agent at `socket`, with keys in it. */
export async function operatorAgent(socket: string, ...keys: SshKey[]): Promise<void> {
  const agent = spawn("ssh-agent", ["-D", "-a", socket], { stdio: "ignore" });
  const ended = new Promise((resolve) => agent.once("exit", resolve));
  onTestFinished(async () => {
    agent.kill("SIGKILL");
    await ended;
  });
  // The socket is there before anybody listens at it; 1 is the answer of an agent without keys.
  await vi.waitFor(async () => expect((await beside("ssh-add", ["-l"], socket)).code).toBe(1), 30_000);
  for (const { path } of keys)
    expect(await beside("ssh-add", ["-q", path], socket)).toMatchObject({ code: 0 });
}

/** What a process was started as; empty when it is gone. */
export function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
