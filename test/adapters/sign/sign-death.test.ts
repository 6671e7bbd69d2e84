import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { commandLine } from "../../support/git/ssh-agents.js";
import { sshKey } from "../../support/git/ssh-keys.js";
import { tempFolder } from "../../support/temp-folder.js";

const BUILT = new URL("../../../dist/adapters/sign/open-signer.js", import.meta.url).href;

function start(folder: string, after: string): ChildProcess {
  const script = join(folder, "holder.mjs");
  const settings = {
    provider: "file",
    keyRef: join(folder, "key"),
    root: join(folder, "shop"),
    socketFolder: join(folder, "sockets"),
  };
  writeFileSync(
    script,
    `import { openSigner } from ${JSON.stringify(BUILT)};
     const signer = await openSigner({ ...${JSON.stringify(settings)}, env: process.env });
     console.log(signer.git.env.SSH_AUTH_SOCK);
     ${after}`,
  );
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

function living(marker: string): string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(marker));
}

test("the agent with the key ends with the process that opened it, however that ends", async () => {
  const folder = tempFolder();
  sshKey(join(folder, "key"));
  mkdirSync(join(folder, "shop"));
  const sockets = join(folder, "sockets");

  const killed = start(folder, "setInterval(() => {}, 1000);");
  await new Promise((resolve, reject) => {
    killed.stdout?.once("data", resolve);
    killed.once("exit", (code) => reject(new Error(`it ended with ${code} before it had a signer`)));
  });
  expect(living(sockets)).not.toEqual([]);
  killed.kill("SIGKILL");
  await vi.waitFor(() => expect(living(sockets)).toEqual([]), 20_000);

  // Nothing of the signer keeps the process alive that forgot to close it.
  const forgetful = start(folder, "");
  expect(await new Promise((resolve) => forgetful.once("exit", resolve))).toBe(0);
  await vi.waitFor(() => expect(living(sockets)).toEqual([]), 20_000);
});
