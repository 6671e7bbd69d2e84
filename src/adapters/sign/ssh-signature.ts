import { createHash, createPublicKey, verify } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../files/remove-folder.js";
import { Fields, lengthFirst } from "./agent-messages.js";
import { askSshKeygen } from "./ask-ssh-keygen.js";
import { fingerprintOf, publicKeyOf } from "./ssh-key.js";

/** The key that made a signature. */
export interface SigningKeyFacts {
  /** `ssh-ed25519 AAAA…` */
  readonly publicKey: string;
  readonly fingerprint: string;
}

/** A signature's parts, as PROTOCOL.sshsig of OpenSSH describes them. */
interface SshSignature {
  readonly key: Buffer;
  readonly namespace: string;
  readonly hash: string;
  readonly signature: Buffer;
}

const MAGIC = Buffer.from("SSHSIG");
const VERSION = 1;
const BEGIN = "-----BEGIN SSH SIGNATURE-----\n";
const END = "\n-----END SSH SIGNATURE-----";
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const HASHES: readonly string[] = ["sha256", "sha512"];
const ED25519 = "ssh-ed25519";
/** What stands before the 32 bytes of an ed25519 key where OpenSSL wants the rest of a certificate's key field. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

/**
 * The key that signed a message for a namespace; null when the signature is not over these bytes, not for it, or
 * damaged. Whether anybody trusts the key is another question.
 *
 * What `ssh-keygen -Y check-novalidate` says, without a process for each signature where the key is ed25519, which is
 * what koryph makes. All other kinds of key are left to ssh-keygen.
 */
export async function keyThatSigned(
  message: Uint8Array,
  armored: string,
  namespace: string,
): Promise<SigningKeyFacts | null> {
  const parsed = parseSignature(armored);
  if (parsed === null || parsed.namespace !== namespace) return null;
  const isGood =
    keyType(parsed.key) === ED25519
      ? isGoodEd25519(message, parsed)
      : await isGoodForKeygen(message, armored, namespace);
  return isGood ? factsOf(parsed) : null;
}

/** The same without any process: null as well for a key of another kind than ed25519. */
export function ed25519KeyThatSigned(
  message: Uint8Array,
  armored: string,
  namespace: string,
): SigningKeyFacts | null {
  const parsed = parseSignature(armored);
  if (parsed?.namespace !== namespace || keyType(parsed.key) !== ED25519) return null;
  return isGoodEd25519(message, parsed) ? factsOf(parsed) : null;
}

function factsOf({ key }: SshSignature): SigningKeyFacts {
  return { publicKey: publicKeyOf(key), fingerprint: fingerprintOf(key) };
}

/** Null for what ssh-keygen would not have written. */
function parseSignature(armored: string): SshSignature | null {
  const body = armored.startsWith(BEGIN) ? armored.slice(BEGIN.length) : "";
  const end = body.indexOf(END);
  if (end === -1 || !["", "\n"].includes(body.slice(end + END.length))) return null;
  const base64 = body.slice(0, end).replaceAll("\n", "");
  const blob = Buffer.from(base64, "base64");
  // Node passes over whatever is no base64, and over bits that a last letter has too many.
  if (!BASE64.test(base64) || blob.toString("base64") !== base64) return null;
  try {
    return readFields(blob);
  } catch {
    return null;
  }
}

function readFields(blob: Buffer): SshSignature | null {
  if (!blob.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const fields = new Fields(blob.subarray(MAGIC.length));
  if (fields.uint32() !== VERSION) return null;
  const [key, namespace, reserved] = [fields.bytes(), fields.bytes().toString("utf8"), fields.bytes()];
  const [hash, signature] = [fields.bytes().toString("latin1"), fields.bytes()];
  if (!fields.isEmpty || reserved.length > 0 || !HASHES.includes(hash)) return null;
  return { key, namespace, hash, signature };
}

function keyType(key: Buffer): string {
  try {
    return new Fields(key).bytes().toString("latin1");
  } catch {
    return "";
  }
}

function isGoodEd25519(message: Uint8Array, { key, namespace, hash, signature }: SshSignature): boolean {
  const [point, made] = [ed25519Field(key), ed25519Field(signature)];
  if (point?.length !== 32 || made?.length !== 64) return false;
  const digest = createHash(hash).update(message).digest();
  const parts = [Buffer.from(namespace), Buffer.alloc(0), Buffer.from(hash), digest];
  const signed = Buffer.concat([MAGIC, ...parts.map(lengthFirst)]);
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, point]), format: "der", type: "spki" });
  return verify(null, signed, publicKey, made);
}

/** Keys and signatures alike are the name of their kind and one value. */
function ed25519Field(blob: Buffer): Buffer | null {
  try {
    const fields = new Fields(blob);
    const [kind, value] = [fields.bytes().toString("latin1"), fields.bytes()];
    return kind === ED25519 && fields.isEmpty ? value : null;
  } catch {
    return null;
  }
}

async function isGoodForKeygen(message: Uint8Array, armored: string, namespace: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "koryph-verify-"));
  try {
    const file = join(folder, "signature");
    await writeFile(file, armored, { mode: 0o600 });
    const args = ["-q", "-Y", "check-novalidate", "-n", namespace, "-s", file];
    return (await askSshKeygen(args, message)).code === 0;
  } finally {
    await removeFolder(folder);
  }
}
