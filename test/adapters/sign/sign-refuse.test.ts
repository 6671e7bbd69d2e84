import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openSigner, type SignerSettings } from "../../../src/adapters/sign/open-signer.js";
import { keyFromCommand } from "../../../src/adapters/sign/read-key.js";
import { UserError } from "../../../src/lib/user-error.js";
import type { Signer } from "../../../src/ports/signer.js";
import { git } from "../../support/engine/clone-world.js";
import { commandLine, operatorAgent } from "../../support/git/ssh-agents.js";
import { type SshKey, sshKey } from "../../support/git/ssh-keys.js";
import { tempFolder } from "../../support/temp-folder.js";

let top = "";
let root = "";
let key: SshKey;

beforeEach(() => {
  top = tempFolder();
  root = join(top, "shop");
  git(top, "init", "--quiet", "--initial-branch=main", root);
  key = sshKey(join(top, "key"));
});

async function open(given: Partial<SignerSettings>): Promise<Signer> {
  const env = { PATH: process.env.PATH, HOME: top, SSH_AUTH_SOCK: join(top, "operator.sock") };
  const socketFolder = join(top, "sockets");
  const signer = await openSigner({ provider: "file", keyRef: key.path, root, socketFolder, env, ...given });
  onTestFinished(() => signer.close());
  return signer;
}

describe("a key is refused, with a way out,", () => {
  test.each<{ name: string; given: () => Partial<SignerSettings>; says: string; hint?: string }>([
    {
      name: "that lies in the repository",
      given: () => ({ keyRef: sshKey(join(root, "key")).path }),
      says: "inside the repository",
    },
    {
      name: "that lies in the repository behind a link",
      given: () => {
        sshKey(join(root, "key"));
        symlinkSync(join(root, "key"), join(top, "link"));
        return { keyRef: join(top, "link") };
      },
      says: "inside the repository",
    },
    {
      name: "that lies in the repository above the project",
      given: () => {
        mkdirSync(join(root, "part"));
        return { root: join(root, "part"), keyRef: sshKey(join(root, "key")).path };
      },
      says: "inside the repository",
    },
    {
      name: "that has a passphrase",
      given: () => ({ keyRef: sshKey(join(top, "locked"), { passphrase: "secret" }).path }),
      says: "has a passphrase",
      hint: "ssh-agent",
    },
    {
      name: "that others can read",
      given: () => {
        chmodSync(key.path, 0o640);
        return {};
      },
      says: "others on this machine can read the signing key",
      hint: "chmod 600",
    },
    {
      name: "that others can read, in a folder with a space in its name",
      given: () => {
        const spaced = join(top, "my keys");
        mkdirSync(spaced);
        const { path } = sshKey(join(spaced, "key"));
        chmodSync(path, 0o640);
        return { keyRef: path };
      },
      says: "others on this machine can read the signing key",
      hint: "my keys/key'",
    },
    { name: "that is not there", given: () => ({ keyRef: "/nowhere/key" }), says: "does not exist" },
    { name: "whose path is relative", given: () => ({ keyRef: "key" }), says: "relative path", hint: "~/" },
    {
      name: "that is the public half",
      given: () => {
        chmodSync(`${key.path}.pub`, 0o600);
        return { keyRef: `${key.path}.pub` };
      },
      says: "is a public key",
    },
    { name: "that is a folder", given: () => ({ keyRef: top }), says: "not a regular file" },
    {
      name: "whose command fails",
      given: () => ({ provider: "command", keyRef: "echo hunter2; exit 3" }),
      says: "ended with 3",
    },
    {
      name: "whose command prints something else",
      given: () => ({ provider: "command", keyRef: "echo hunter2" }),
      says: "no private key",
    },
    {
      name: "whose command prints one with a passphrase",
      given: () => ({
        provider: "command",
        keyRef: `cat ${sshKey(join(top, "locked"), { passphrase: "secret" }).path}`,
      }),
      says: "has a passphrase",
    },
    {
      name: "of an agent that is not there",
      given: () => ({ provider: "ssh-agent", keyRef: "mine" }),
      says: "does not answer",
    },
    {
      name: "of no agent at all",
      given: () => ({ provider: "ssh-agent", keyRef: "mine", env: { PATH: process.env.PATH } }),
      says: "SSH_AUTH_SOCK is not set",
    },
    {
      name: "when there is no OpenSSH",
      given: () => {
        mkdirSync(join(top, "bin"));
        for (const tool of ["sh", "cat"]) symlinkSync(`/bin/${tool}`, join(top, "bin", tool));
        return { env: { PATH: join(top, "bin"), HOME: top } };
      },
      says: "ssh-agent was not found",
    },
  ])("$name", async ({ given, says, hint = "" }) => {
    const error = await open(given()).catch((problem) => problem);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(says);
    expect(error.hint).toContain(hint);
    expect(`${error.message}${error.hint}`).not.toContain("hunter2");
    expect(existsSync(join(top, "sockets")) ? readdirSync(join(top, "sockets")) : []).toEqual([]);
  });

  test("that the operator's agent does not hold, or holds twice under one name", async () => {
    await operatorAgent(join(top, "operator.sock"), key, sshKey(join(top, "other")));
    await expect(open({ provider: "ssh-agent", keyRef: "mine" })).rejects.toMatchObject({
      message: expect.stringContaining("no key with the fingerprint or comment mine"),
      hint: expect.stringContaining(key.fingerprint),
    });
    await expect(open({ provider: "ssh-agent", keyRef: "a comment" })).rejects.toThrow(
      "2 keys with the comment",
    );
  });

  test("when an agent talks nonsense", async () => {
    const socket = join(top, "operator.sock");
    const server = createServer((connection) => connection.end(Buffer.from("ffffffffff", "hex"))).listen(
      socket,
    );
    onTestFinished(() => void server.close());
    await expect(open({ provider: "ssh-agent", keyRef: "mine" })).rejects.toThrow("does not answer");
  });
});

test("a command that does not end is ended with all it started", async () => {
  const marker = join(top, "marker");
  const slow = keyFromCommand(`sleep 600 & echo $! > ${marker}; sleep 600`, { PATH: process.env.PATH }, 500);
  await expect(slow).rejects.toThrow("did not end within 0.5 s");
  const pid = readFileSync(marker, "utf8").trim();
  await vi.waitFor(() => expect(commandLine(pid)).not.toContain("sleep"), 10_000);
});
