import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onFileEnd } from "../file-end.js";

export interface SshKey {
  readonly path: string;
  /** `ssh-ed25519 AAAA…` */
  readonly publicKey: string;
  readonly fingerprint: string;
}

interface KeyOptions {
  readonly passphrase?: string;
  readonly comment?: string;
  readonly args?: readonly string[];
}

/** A real key; without a passphrase unless one is given. */
export function sshKey(path: string, options: KeyOptions = {}): SshKey {
  const { passphrase = "", args = ["-t", "ed25519"], comment = "a comment" } = options;
  const env = { PATH: process.env.PATH ?? "" };
  // One round: a passphrase that is hard to guess takes time that no test needs.
  const more = passphrase === "" ? [] : ["-a", "1"];
  execFileSync("ssh-keygen", ["-q", ...args, ...more, "-N", passphrase, "-C", comment, "-f", path], { env });
  const [type, key = ""] = readFileSync(`${path}.pub`, "utf8").split(" ");
  const hash = createHash("sha256").update(Buffer.from(key, "base64")).digest("base64");
  return { path, publicKey: `${type} ${key}`, fingerprint: `SHA256:${hash.replace(/=+$/, "")}` };
}

/** A key that all tests of a file share. */
export function sharedKey(): SshKey {
  const folder = mkdtempSync(join(tmpdir(), "koryph-key-"));
  onFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  return sshKey(join(folder, "key"));
}

/** The lines that give a private key away; the first one says what kind it is, and all of a kind share it. */
export function secretLines(path: string): string[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.length > 20 && !line.startsWith("-----")).slice(1);
}

/** Files below a folder that hold any of the lines. */
export function filesWith(folder: string, lines: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const text = readFileSync(path, "latin1");
      return lines.some((line) => text.includes(line));
    });
}
