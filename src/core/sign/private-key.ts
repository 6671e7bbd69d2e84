/**
 * `open`: a private key that can be used as it is; `locked`: one that needs its passphrase; `public`: the half
 * that signs nothing; `other`: no key that OpenSSH writes.
 */
export type KeyText = "open" | "locked" | "public" | "other";

const OPENSSH = /-----BEGIN OPENSSH PRIVATE KEY-----([\sA-Za-z0-9+/=]+)-----END OPENSSH PRIVATE KEY-----/;
const PEM = /-----BEGIN ((?:[A-Z]+ )?)PRIVATE KEY-----[\s\S]+-----END \1PRIVATE KEY-----/;
const LOCKED_PEM = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED\s*$/m;
const MAGIC = "openssh-key-v1\0";

/** What a text that should be a private key is, without asking anybody for a passphrase. */
export function keyTextOf(text: string): KeyText {
  const openssh = OPENSSH.exec(text)?.[1];
  if (openssh !== undefined) return opensshKey(openssh.replace(/\s+/g, ""));
  if (LOCKED_PEM.test(text)) return "locked";
  if (PEM.test(text)) return "open";
  return /^\s*(?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+ AAAA/.test(text) ? "public" : "other";
}

/** After the magic stands the name of the cipher, and `none` is one. */
function opensshKey(base64: string): KeyText {
  let bytes: string;
  try {
    // Its first bytes are enough, and cut at a multiple of four they are whole.
    bytes = atob(base64.slice(0, 64));
  } catch {
    return "other";
  }
  if (!bytes.startsWith(MAGIC)) return "other";
  const length = bytes.charCodeAt(MAGIC.length + 3);
  const cipher = bytes.slice(MAGIC.length + 4, MAGIC.length + 4 + length);
  return cipher === "none" ? "open" : "locked";
}
