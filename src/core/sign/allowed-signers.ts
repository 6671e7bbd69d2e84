/** One line of `.allowed_signers`, as ssh-keygen(1) describes the file. */
export interface AllowedSigner {
  /** From 1. */
  readonly line: number;
  /** Patterns such as `ann@example.com` or `*@example.com`. */
  readonly principals: readonly string[];
  readonly certAuthority: boolean;
  /** What signatures count for; null when for everything. */
  readonly namespaces: readonly string[] | null;
  /** `YYYYMMDD[HHMM[SS]][Z]`, judged by the date that a commit itself states. */
  readonly validAfter: string | null;
  readonly validBefore: string | null;
  readonly keyType: string;
  /** Base64, without the comment that may follow. */
  readonly key: string;
}

export interface AllowedSigners {
  readonly signers: readonly AllowedSigner[];
  /** Lines that name nobody, because they cannot be read. */
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
}

/** What signatures of receipts are for, and nothing else; `git` is what those of commits are for. */
export const RECEIPT_NAMESPACE = "koryph-receipt";

type Options = Pick<AllowedSigner, "certAuthority" | "namespaces" | "validAfter" | "validBefore">;

const NO_OPTIONS: Options = { certAuthority: false, namespaces: null, validAfter: null, validBefore: null };
const TIME = /^\d{8}(\d{4}(\d{2})?)?Z?$/;
/** A word ends at white space outside double quotes. */
const WORD = /^\s*((?:"[^"]*"|[^\s"])+)/;
const OPTION = /^([a-z-]+)(?:="([^"]*)")?(?:,|$)/i;
const KEY_TYPE = /^(?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+$/;

/** Who may sign. Empty lines and comments are passed over. */
export function allowedSigners(text: string): AllowedSigners {
  const signers: AllowedSigner[] = [];
  const problems: { line: number; problem: string }[] = [];
  for (const [index, content] of text.split("\n").entries()) {
    const line = index + 1;
    if (/^\s*(#|$)/.test(content)) continue;
    const read = readLine(content);
    if (typeof read === "string") problems.push({ line, problem: read });
    else signers.push({ line, ...read });
  }
  return { signers, problems };
}

/** Lines for a key (`ssh-ed25519 AAAA…`) itself, whether or not they hold now and for git. */
export function linesNaming(publicKey: string, { signers }: AllowedSigners): readonly AllowedSigner[] {
  const [type, key] = publicKey.split(" ");
  return signers.filter((signer) => !signer.certAuthority && signer.keyType === type && signer.key === key);
}

/**
 * The text with lines for the key, which let it sign commits and receipts and nothing else; all other lines are kept. A
 * line that names the key for the one or the other already is left alone, were its time over: somebody meant it.
 */
export function withSigner(text: string, principal: string, publicKey: string): string {
  const lines = linesNaming(publicKey, allowedSigners(text));
  const wanted = [
    ...(lines.some(countsForGit) ? [] : ["git"]),
    ...(lines.some(({ namespaces }) => namespaces?.includes(RECEIPT_NAMESPACE)) ? [] : [RECEIPT_NAMESPACE]),
  ];
  if (wanted.length === 0) return text;
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${before}${principal} namespaces="${wanted.join(",")}" ${publicKey}\n`;
}

export function countsForGit({ namespaces }: AllowedSigner): boolean {
  return namespaces === null || namespaces.some((pattern) => GIT_NAMESPACE.test(pattern));
}

/** Namespaces may be patterns; these are the ones people write. */
const GIT_NAMESPACE = /^(?:git|g?i?t?\*)$/;

function readLine(content: string): Omit<AllowedSigner, "line"> | string {
  const [principals, afterPrincipals] = word(content);
  const [second, afterSecond] = word(afterPrincipals);
  const plain = KEY_TYPE.test(second);
  const options = plain ? NO_OPTIONS : readOptions(second);
  if (typeof options === "string") return options;
  const [keyType, rest] = plain ? [second, afterSecond] : word(afterSecond);
  const [key] = word(rest);
  if (!KEY_TYPE.test(keyType)) return "no key type such as ssh-ed25519";
  if (!/^AAAA[A-Za-z0-9+/]+={0,2}$/.test(key)) return `no key after ${keyType}`;
  const names = principals.replaceAll('"', "").split(",");
  return { principals: names.filter((name) => name !== ""), ...options, keyType, key };
}

function word(text: string): [found: string, rest: string] {
  const match = WORD.exec(text);
  return match === null ? ["", ""] : [match[1] ?? "", text.slice(match[0].length)];
}

function readOptions(text: string): Options | string {
  let options = NO_OPTIONS;
  for (let rest = text; rest !== ""; ) {
    const match = OPTION.exec(rest);
    if (match === null) return `${rest} is neither an option nor a key type`;
    const [whole, name = "", value] = match;
    rest = rest.slice(whole.length);
    const read = option(name.toLowerCase(), value);
    if (read === null) return `the option ${name} is not known, or its value is not right`;
    options = { ...options, ...read };
  }
  return options;
}

function option(name: string, value: string | undefined): Partial<Options> | null {
  if (value === undefined) return name === "cert-authority" ? { certAuthority: true } : null;
  if (name === "namespaces") return { namespaces: value.split(",") };
  if (!TIME.test(value)) return null;
  if (name === "valid-after") return { validAfter: value };
  return name === "valid-before" ? { validBefore: value } : null;
}
