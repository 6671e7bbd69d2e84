/** A whole key, which ssh-keygen cannot fail to read, and a remark that means nothing. */
const KEY = String.raw`(ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-P][A-Za-z0-9+/]{42})(?:[ \t][ -~\t]*)?$`;
/** A name, and what signatures count for. ssh-keygen compares none that is longer than a thousand letters. */
const PLAIN = new RegExp(
  String.raw`^([A-Za-z0-9][A-Za-z0-9._@+-]{0,254})[ \t]+(?:namespaces="([a-z0-9@._-]{1,255}(?:,[a-z0-9@._-]{1,255})*)"[ \t]+)?${KEY}`,
);
/** The same for several names or patterns of them, so that who signed takes more than a look. */
const PATTERNED = new RegExp(
  String.raw`^([A-Za-z0-9!*?][A-Za-z0-9!*?,._@+-]*)[ \t]+(?:namespaces="([a-z0-9@._,-]+)"[ \t]+)?${KEY}`,
);
const NOTHING = /^[ \t]*(?:#.*)?$/;

/**
 * Whose commits a list of signers lets in, by public key (`ssh-ed25519 AAAA…`), as far as the list needs no ssh-keygen
 * to be understood: ed25519 keys that one line names, and only one, with one name for it. A line with more to it, such as
 * a time, an authority or another kind of key, ends the reading. ssh-keygen reads from the top as well, and stops at the
 * first line that fits, or that it cannot read: so nothing below can change what was found above.
 */
export function plainSigners(text: string): ReadonlyMap<string, string> {
  const signers = new Map<string, string>();
  const named = new Set<string>();
  for (const line of text.split("\n")) {
    if (NOTHING.test(line)) continue;
    const plain = PLAIN.exec(line);
    const [, name = "", namespaces, key] = plain ?? PATTERNED.exec(line) ?? [];
    if (key === undefined) break;
    if (named.has(key)) signers.delete(key);
    else if (plain !== null && isForCommits(namespaces)) signers.set(key, name);
    named.add(key);
  }
  return signers;
}

function isForCommits(namespaces: string | undefined): boolean {
  return namespaces === undefined || namespaces.split(",").includes("git");
}
