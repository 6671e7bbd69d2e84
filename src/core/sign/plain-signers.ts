/** A name, what signatures count for, a key, and a remark that means nothing. */
const LINE =
  /^([A-Za-z0-9][A-Za-z0-9._@+-]*)[ \t]+(?:namespaces="([a-z0-9@._-]+(?:,[a-z0-9@._-]+)*)"[ \t]+)?((?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+)[ \t]+(AAAA[A-Za-z0-9+/]+={0,2})(?:[ \t][ -~\t]*)?$/;
const NOTHING = /^[ \t]*(?:#.*)?$/;

/**
 * Whose commits a list of signers lets in, by public key (`ssh-ed25519 AAAA…`), as far as the list needs no ssh-keygen
 * to be understood: one name and one key in each line, no patterns, times or authorities, and no key twice. Null for any
 * other list.
 */
export function plainSigners(text: string): ReadonlyMap<string, string> | null {
  const signers = new Map<string, string>();
  const keys = new Set<string>();
  for (const line of text.split("\n")) {
    if (NOTHING.test(line)) continue;
    const [, name = "", namespaces, type = "", key = ""] = LINE.exec(line) ?? [];
    if (key === "" || keys.has(key)) return null;
    keys.add(key);
    if (namespaces === undefined || namespaces.split(",").includes("git"))
      signers.set(`${type} ${key}`, name);
  }
  return signers;
}
