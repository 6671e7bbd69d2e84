import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, asyncProperty, constantFrom, integer } from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { signMessage } from "../../../src/adapters/sign/sign-message.js";
import { keyThatSigned } from "../../../src/adapters/sign/ssh-signature.js";
import { RECEIPT_NAMESPACE } from "../../../src/core/sign/allowed-signers.js";
import { onFileEnd } from "../../support/file-end.js";
import { type SshKey, sshKey } from "../../support/git/ssh-keys.js";
import { tempFolder } from "../../support/temp-folder.js";

const message = Buffer.from("DSSEv1 what landed");
let key: SshKey;
let armored: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "koryph-signature-"));
  onFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  key = sshKey(join(folder, "key"));
  armored = await signMessage(message, { keyFile: key.path });
});

/** ssh-keygen's own word, by a list that names this key for receipts. */
function keygenAccepts(said: Buffer, signature: string, by: SshKey = key, line = RECEIPT_NAMESPACE): boolean {
  const [signers, file] = [join(folder, "signers"), join(folder, "signature")];
  writeFileSync(signers, `koryph@shop namespaces="${line}" ${by.publicKey}\n`);
  writeFileSync(file, signature);
  const args = ["-Y", "verify", "-f", signers, "-I", "koryph@shop", "-n", RECEIPT_NAMESPACE, "-s", file];
  return spawnSync("ssh-keygen", args, { input: said }).status === 0;
}

async function weAccept(said: Buffer, signature: string, by: SshKey = key): Promise<boolean> {
  return (await keyThatSigned(said, signature, RECEIPT_NAMESPACE))?.publicKey === by.publicKey;
}

test("a signature says with which key it was made", async () => {
  expect(await keyThatSigned(message, armored, RECEIPT_NAMESPACE)).toEqual({
    publicKey: key.publicKey,
    fingerprint: key.fingerprint,
  });
});

describe("ssh-keygen and we say the same of", () => {
  test.each<{ name: string; said?: string; change?: (text: string) => string; good: boolean }>([
    { name: "what was signed", good: true },
    { name: "other bytes", said: "DSSEv1 what Landed", good: false },
    { name: "no bytes", said: "", good: false },
    { name: "no signature", change: () => "", good: false },
    { name: "half a signature", change: (text) => text.slice(0, 150), good: false },
    { name: "one letter changed", change: (text) => swap(text, 120), good: false },
    {
      name: "another namespace inside",
      change: (text) => inside(text, "koryph-receipt", "koryph-receipT"),
      good: false,
    },
    {
      name: "another version",
      change: (text) => inside(text, "SSHSIG\0\0\0\u0001", "SSHSIG\0\0\0\u0002"),
      good: false,
    },
    { name: "another hash", change: (text) => inside(text, "sha512", "sha256"), good: false },
    { name: "bytes behind it", change: (text) => inside(text, /$/, "x"), good: false },
  ])("$name", async ({ said, change = (text) => text, good }) => {
    const given = said === undefined ? message : Buffer.from(said);
    expect([await weAccept(given, change(armored)), keygenAccepts(given, change(armored))]).toEqual([
      good,
      good,
    ]);
  });

  test("a signature for commits, which is none for receipts", async () => {
    const signed = spawnSync("ssh-keygen", ["-q", "-Y", "sign", "-n", "git", "-f", key.path], {
      input: message,
    });
    const text = signed.stdout.toString("utf8");
    expect([await weAccept(message, text), keygenAccepts(message, text)]).toEqual([false, false]);
  });

  test.each([
    ["rsa", "2048"],
    ["ecdsa", "256"],
  ])("a key of type %s, which ssh-keygen is asked about", async (type, bits) => {
    const other = sshKey(join(tempFolder(), type), { args: ["-t", type, "-b", bits] });
    const text = await signMessage(message, { keyFile: other.path });
    expect([await weAccept(message, text, other), keygenAccepts(message, text, other)]).toEqual([true, true]);
    expect(await weAccept(Buffer.from("other"), text, other)).toBe(false);
  });
});

test("a signature with any letter changed is not good", () => {
  const at = integer({ min: 0, max: armored.length - 1 });
  const letters = constantFrom(..."ABCxyz019+/=- \n");
  return assert(
    asyncProperty(at, letters, async (index, letter) => {
      const changed = armored.slice(0, index) + letter + armored.slice(index + 1);
      // Where lines end says nothing about what they hold.
      if (changed.replaceAll("\n", "") === armored.replaceAll("\n", "")) return;
      expect(await weAccept(message, changed)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

function swap(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
}

/** Changes the bytes that the letters stand for. */
function inside(text: string, from: string | RegExp, to: string): string {
  const [, begin = "", body = "", end = ""] = /^(-----BEGIN.*\n)([\s\S]*)(-----END.*\n)$/.exec(text) ?? [];
  const bytes = Buffer.from(body.replaceAll("\n", ""), "base64").toString("latin1").replace(from, to);
  return `${begin}${Buffer.from(bytes, "latin1").toString("base64").replace(/.{70}/g, "$&\n")}\n${end}`;
}
