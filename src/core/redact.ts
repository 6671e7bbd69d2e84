import { TOKEN_HINTS, TOKENS, token } from "../lib/secret-shapes.js";

/**
 * Takes secrets out of what is about to be written down or shown. Values are judged by the name they stand
 * under and by their shape. A long row of hexadecimal digits is no shape: commits look like that, and a log
 * without them cannot be followed.
 */
const MARK = "[redacted]";

/** Any JSON value with its secrets replaced. */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [redactText(key), hides(key, inner) ? MARK : redact(inner)]),
  );
}

/** Text with its secrets replaced. Doing it again changes nothing. */
export function redactText(text: string): string {
  if (!HINTS.test(text)) return text;
  let result = text;
  for (const [pattern, replacement] of SHAPES) result = result.replace(pattern, replacement);
  return withoutNamedSecrets(result, () => true);
}

/**
 * The same for text that holds code and that somebody has to judge: there `token: string` says nothing secret, and
 * words that look like the beginning of a key must not hide what comes after them.
 */
export function redactCode(text: string): string {
  if (!HINTS.test(text)) return text;
  let result = text;
  for (const [pattern, replacement] of CODE_SHAPES) result = result.replace(pattern, replacement);
  return withoutNamedSecrets(result, isDrawn);
}

/** Only what is taken out is passed over: the value of an ordinary name may hold a secret, as in `note: token=…`. */
function withoutNamedSecrets(text: string, isTaken: (secret: string) => boolean): string {
  const names = new RegExp(NAME);
  const value = new RegExp(VALUE);
  let result = "";
  let done = 0;
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const name = found[1] ?? found[2] ?? "";
    // In a quoted text the `n` of a line's end stands before the name.
    const behindEscape = text[found.index - 1] === "\\" && /^[nrt]/.test(name);
    if (!isSecretName(name) && !(behindEscape && isSecretName(name.slice(1)))) continue;
    value.lastIndex = names.lastIndex;
    const secret = value.exec(text)?.[0];
    if (secret === undefined || EMPTY.has(secret) || !isTaken(secret)) continue;
    if (TOPIC.test(text.slice(found.index))) continue;
    result += text.slice(done, names.lastIndex) + inQuotes(secret);
    done = value.lastIndex;
    names.lastIndex = done;
  }
  return result + text.slice(done);
}

/** An address without the name and password in it, for places that must be able to use it afterwards. */
export function withoutCredentials(url: string): string {
  return url.replace(WEB_CREDENTIALS, "$1").replace(CREDENTIALS, "$1");
}

/** The sign of a patch may stand before an address. */
const WEB_CREDENTIALS = /(?:(?<![a-z0-9+.-])|(?<=(?<![a-z0-9+.-])[+-]))(https?:\/\/)[^\s/?#"'<>]+@/gi;
/** A name alone, as in ssh://git@host, is no secret; a name with a password is. */
const CREDENTIALS =
  /(?:(?<![a-z0-9+.-])|(?<=(?<![a-z0-9+.-])[+-]))([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>:]*:[^\s/?#"'<>]*@/gi;

/**
 * Whatever is taken out holds one of these. Most of what is written down holds none, and is read once instead of
 * once for every shape: a new shape or secret word has to show here, too.
 */
const HINTS = new RegExp(
  String.raw`:\/\/[^\s/?#"'<>]*@|${TOKEN_HINTS}|private key|auth|cookie|bearer|basic|credential|pass|pwd|secret|token|key|signature`,
  "i",
);

/** The first line of a private key, and the rest of it as far as there is any. */
const PRIVATE_KEY = "-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----";

/** A row of a key, behind the sign of a patch if it stands in one. */
const KEY_ROW = String.raw`(?:\r?\n|\\n)[+ -]?[ \t]*(?:[A-Za-z0-9+/=]{0,100}|(?:Proc-Type|DEK-Info|Version|Comment): [^\r\n]{0,80})(?=[\r\n\\"']|$)`;
const KEY_BREAK = String.raw`[ \t]*(?:\r?\n|\\n)[+ -]?[ \t]*`;
const PRIVATE_KEY_END = "-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----";
const KEY_END = `(?:(?:\\r?\\n|\\\\n)[+ -]?[ \\t]*)?${PRIVATE_KEY_END}`;

const BEARER = [/\b(bearer|basic)\s+(?=\S*[\d=])[A-Za-z0-9+/=._~-]{16,}/gi, `$1 ${MARK}`] as const;
/** What gives itself away in prose and in code. */
const ANYWHERE: readonly (readonly [RegExp, string])[] = [
  BEARER,
  [
    new RegExp(
      `(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{8,100}${KEY_BREAK}(?:[A-Za-z0-9+/=]{1,100}${KEY_BREAK}){0,100}${PRIVATE_KEY_END}`,
      "g",
    ),
    MARK,
  ],
  [WEB_CREDENTIALS, `$1${MARK}@`],
  [CREDENTIALS, `$1${MARK}@`],
  // As in .netrc, where nothing but a space stands between the two.
  [/(\blogin\s+\S{1,200}\s+password\s+)[^\s,;"']+/gi, `$1${MARK}`],
  ...TOKENS.map(([, shape]) => [shape, MARK] as const),
  // What was left of one where a text was cut to its length.
  [
    token("(?:gh[opusr]_|github_pat_|glpat-|sk-(?:ant|proj)-|AKIA|eyJ|npm_|xox[bp]-)[A-Za-z0-9_.-]*…"),
    `${MARK}…`,
  ],
];

const SHAPES: readonly (readonly [RegExp, string])[] = [
  // To the end of the text where the closing line is missing: the text may have been cut.
  [new RegExp(`${PRIVATE_KEY}[\\s\\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|$)`, "g"), MARK],
  [/(\bauthorization["']?\s*[:=]\s*["']?)[^\r\n"']+/gi, `$1${MARK}`],
  [/(\b(?:set-)?cookie["']?:\s*["']?)[^\r\n"']+/gi, `$1${MARK}`],
  ...ANYWHERE,
];

const CODE_SHAPES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${PRIVATE_KEY}(?:${KEY_ROW})*(?:${KEY_END})?`, "g"), MARK],
  ...ANYWHERE,
];

/** Values that a machine has drawn: long, of letters and digits, and no name or path of code. */
const DRAWN = /^\\*["']?(?=[^\d]*\d)(?=[^a-z]*[a-z])[A-Za-z0-9+/=_~-]{16,}\\*["']?$/i;

function isDrawn(value: string): boolean {
  return DRAWN.test(value) && !isMadeUp(value);
}

/**
 * What secrets a line of a file holds, each kind once. Only shapes count that hardly anything else has: a name such as
 * `password` stands in front of much that is none, and a made-up token, as documents show it, is none either.
 */
export function secretKinds(line: string): string[] {
  if (!HINTS.test(line)) return [];
  const kinds = TOKENS.filter(([, shape]) => (line.match(shape) ?? []).some((found) => !isMadeUp(found)));
  const key = new RegExp(PRIVATE_KEY).test(line) ? ["private key"] : [];
  const named = NAMED_KINDS.filter(([, shape]) =>
    [...line.matchAll(shape)].some(([, value = ""]) => isDrawn(value)),
  );
  return [...new Set([...key, ...[...kinds, ...named].map(([kind]) => kind)])];
}

/** Secrets without a shape of their own, in places where nothing else stands. */
const NAMED_KINDS: readonly (readonly [kind: string, shape: RegExp])[] = [
  [
    "password in an address",
    /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#"'<>:@]*:([^\s/?#"'<>@]+)@/gi,
  ],
  [
    "AWS secret key",
    /aws_secret_access_key["']?\s{0,4}[=:]\s{0,4}["']?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/])/gi,
  ],
  ["Azure key", /\b(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=]{40,})/g],
  ["password in .netrc", /\blogin\s+\S{1,200}\s+password\s+(\S+)/gi],
];

/** Real ones are random: nobody draws the same few characters over and over, or a word for what it is. */
const FEWEST_CHARACTERS = 8;

function isMadeUp(found: string): boolean {
  return new Set(found).size < FEWEST_CHARACTERS || /example|redacted|dummy|placeholder/i.test(found);
}

/** What comes before a value: `name=`, `name: `, `"name": `, `--name=` or `--name `. */
const NAME = /(?<![\w-])(?:-{0,2}([A-Za-z_][\w-]*)\\{0,3}["']?\s{0,4}[=:]\s{0,4}|--([a-z][\w-]*)\s+(?!-))/g;

/** A quoted text with its quotes, which in a quoted text are `\"`, or whatever stands before the next separator. */
const VALUE = /\\{1,3}"[^"\\]*\\{1,3}"|"(?:[^"\\]|\\.)*"|'[^']*'|\[redacted\]|[^\s,;&"'}\])]+/y;

/** A title about such things, as in `auth: fix the login`: plain words, and more than one. */
const TOPIC = /^(?:auth|bearer|token|cookies?|credentials?): [a-z]+ [a-z]/i;

const EMPTY: ReadonlySet<string> = new Set([
  '""',
  '\\"\\"',
  "''",
  "null",
  "true",
  "false",
  "none",
  "undefined",
]);

function inQuotes(value: string): string {
  const quote = /^\\*["']/.exec(value)?.[0] ?? "";
  return quote + MARK + quote;
}

/** A flag, a nothing or an empty text under a secret's name tells nothing, and is often what one looks for. */
function hides(key: string, value: unknown): boolean {
  if (typeof value === "boolean" || value === null || value === undefined || value === "") return false;
  return isSecretName(key);
}

const SECRET_WORDS: ReadonlySet<string> = new Set([
  "apikey",
  "auth",
  "authorization",
  "authtoken",
  "bearer",
  "cookie",
  "cookies",
  "credential",
  "credentials",
  "passphrase",
  "passwd",
  "password",
  "pwd",
  "secret",
  "secrets",
  "token",
]);

/** Keys that are secret only with the word before them: an `api_key` is, a `public_key` or plain `key` is not. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  "access",
  "account",
  "api",
  "deploy",
  "encryption",
  "private",
  "secret",
  "signing",
]);

/**
 * Judged by its last word, so that `author`, `tokens`, `token_count` and `key_ref` keep their values and
 * `GITHUB_TOKEN`, `clientSecret` and `x-api-key` do not.
 */
function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const last = words.at(-1) ?? "";
  // As kube configs have it: the key itself, where `client-key` would be a path.
  if (last === "data") return words.at(-2) === "key" && words.at(-3) === "client";
  if (last === "key") return SECRET_KEYS.has(words.at(-2) ?? "");
  return SECRET_WORDS.has(last) || (last === "signature" && words.includes("amz"));
}
