import { createHash, createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from "node:crypto";

/*
 * Signatures of `ssh-keygen -Y sign`, read and checked here: the sandbox shows many commits at once, and a process for
 * each would take longer than everything else together. OpenSSH describes the form in its PROTOCOL.sshsig.
 */

const MAGIC = "SSHSIG";
const BEGIN = "-----BEGIN SSH SIGNATURE-----";
const END = "-----END SSH SIGNATURE-----";

export interface SshSignature {
  /** `ssh-ed25519 AAAA…`, as in a file with a public key. */
  readonly publicKey: string;
  readonly namespace: string;
  readonly hash: string;
  readonly bytes: Buffer;
}

/** Null for a text that is none. */
export function readSshSignature(armored: string): SshSignature | null {
  const [, base64] = new RegExp(`^${BEGIN}\\n([\\s\\S]+)\\n${END}\\s*$`).exec(armored) ?? [];
  const blob = Buffer.from(base64 ?? "", "base64");
  if (blob.subarray(0, MAGIC.length).toString() !== MAGIC) return null;
  const [key, namespace, , hash, bytes] = readStrings(blob.subarray(MAGIC.length + 4));
  if (key === undefined || namespace === undefined || hash === undefined || bytes === undefined) return null;
  const kind = readStrings(key)[0]?.toString() ?? "";
  const publicKey = `${kind} ${key.toString("base64")}`;
  return { publicKey, namespace: namespace.toString(), hash: hash.toString(), bytes };
}

/** Whether the signature was made over this text with the key it names. */
export function isSignedBy({ publicKey, namespace, hash, bytes }: SshSignature, text: string): boolean {
  const [kind = "", raw = Buffer.alloc(0)] = readStrings(bytes);
  const scheme = SCHEMES[kind.toString()];
  if (scheme === undefined || (hash !== "sha256" && hash !== "sha512")) return false;
  const parts = readStrings(Buffer.from(publicKey.split(" ")[1] ?? "", "base64"));
  const signed = signedBytes({ namespace, hash, text });
  try {
    const key = createPublicKey({ key: scheme.key(parts.slice(1)), format: "jwk" });
    return verify(scheme.digest, signed, scheme.options(key), scheme.signature(raw));
  } catch {
    // A key or signature whose numbers are none: nobody has signed with that.
    return false;
  }
}

interface Scheme {
  readonly digest: string | null;
  readonly key: (parts: readonly Buffer[]) => JsonWebKey;
  readonly options: (key: KeyObject) => KeyObject | { key: KeyObject; dsaEncoding: "ieee-p1363" };
  readonly signature: (raw: Buffer) => Buffer;
}

const rsa = (digest: string): Scheme => ({
  digest,
  key: ([e, n]) => ({ kty: "RSA", e: number(e).toString("base64url"), n: number(n).toString("base64url") }),
  options: (key) => key,
  signature: (raw) => raw,
});

const ecdsa = (digest: string, crv: string, size: number): Scheme => ({
  digest,
  key: ([, point = Buffer.alloc(0)]) => ({
    ...{ kty: "EC", crv, x: point.subarray(1, 1 + size).toString("base64url") },
    y: point.subarray(1 + size).toString("base64url"),
  }),
  options: (key) => ({ key, dsaEncoding: "ieee-p1363" }),
  signature: (raw) =>
    Buffer.concat(
      readStrings(raw)
        .slice(0, 2)
        .map((part) => Buffer.concat([Buffer.alloc(size), number(part)]).subarray(-size)),
    ),
});

const SCHEMES: Readonly<Record<string, Scheme>> = {
  "ssh-ed25519": {
    digest: null,
    key: ([x = Buffer.alloc(0)]) => ({ kty: "OKP", crv: "Ed25519", x: x.toString("base64url") }),
    options: (key) => key,
    signature: (raw) => raw,
  },
  "rsa-sha2-256": rsa("sha256"),
  "rsa-sha2-512": rsa("sha512"),
  "ecdsa-sha2-nistp256": ecdsa("sha256", "P-256", 32),
  "ecdsa-sha2-nistp384": ecdsa("sha384", "P-384", 48),
  "ecdsa-sha2-nistp521": ecdsa("sha512", "P-521", 66),
};

/** Signs as `ssh-keygen -Y sign -n git` would, with an Ed25519 key. */
export function signSsh(key: KeyObject, text: string): string {
  const hash = "sha512";
  const bytes = sign(null, signedBytes({ namespace: "git", hash, text }), key);
  const blob = Buffer.concat([
    Buffer.from(MAGIC),
    Buffer.from([0, 0, 0, 1]),
    ...[keyBlob(key), "git", "", hash].map(writeString),
    writeString(Buffer.concat([writeString("ssh-ed25519"), writeString(bytes)])),
  ]);
  const lines = blob.toString("base64").match(/.{1,70}/g) ?? [];
  return [BEGIN, ...lines, END].join("\n");
}

/** `ssh-ed25519 AAAA…` of an Ed25519 key. */
export function sshPublicKey(key: KeyObject): string {
  return `ssh-ed25519 ${keyBlob(key).toString("base64")}`;
}

function keyBlob(key: KeyObject): Buffer {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return Buffer.concat([writeString("ssh-ed25519"), writeString(Buffer.from(x, "base64url"))]);
}

function signedBytes({ namespace, hash, text }: { namespace: string; hash: string; text: string }): Buffer {
  const digest = createHash(hash).update(text).digest();
  return Buffer.concat([Buffer.from(MAGIC), ...[namespace, "", hash, digest].map(writeString)]);
}

/** Numbers have a zero before them where they would look negative. */
function number(bytes: Buffer | undefined): Buffer {
  const text = bytes ?? Buffer.alloc(0);
  return text[0] === 0 ? text.subarray(1) : text;
}

function readStrings(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return found;
    found.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return found;
}

function writeString(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text as Buffer);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
