import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact, redactCode, redactText, secretKinds, withoutCredentials } from "../../src/core/redact.js";
import { LONG } from "../support/long.js";
import { plantSecrets } from "../support/secrets/planted-secrets.js";

const sha = "0123456789abcdef0123456789abcdef01234567";
const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA\nAAAA\n-----END OPENSSH PRIVATE KEY-----";

describe("texts", () => {
  test.each<[name: string, text: string, expected: string]>([
    ["a GitHub token", "push with ghp_0123456789abcdefghij0123456789abcdef now", "push with [redacted] now"],
    ["an App's token", "ghs_16C7e42F292c6912E7710c838347Ae178B4a", "[redacted]"],
    ["a fine-grained token", "x=github_pat_11ABCDEFG0123456789_abcdefghijk", "x=[redacted]"],
    ["an Anthropic key", "key sk-ant-api03-AbC_d-0123456789", "key [redacted]"],
    ["an OpenAI key", "sk-proj-abcdefghij0123456789", "[redacted]"],
    ["a Slack token", "xoxb-123456789012-abcdefABCDEF", "[redacted]"],
    ["an AWS key id", "AKIAIOSFODNN7EXAMPLE.", "[redacted]."],
    ["a GitLab token", "glpat-abcdefghij0123456789", "[redacted]"],
    ["an npm token", "npm_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]"],
    ["a Google key", `AIza${"a".repeat(35)}`, "[redacted]"],
    ["a Stripe key", "sk_live_abcdefghij0123", "[redacted]"],
    ["an age key", "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQ", "[redacted]"],
    ["a signed token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-DEF", "[redacted]"],
    ["a Slack app's token", "xapp-1-A0123456-123456-abcdef", "[redacted]"],
    [
      "a token behind a line's end in quotes",
      String.raw`"bad\nghp_0123456789abcdefghij"`,
      String.raw`"bad\n[redacted]"`,
    ],
    ["a token in colour", "\u001b[31mghp_0123456789abcdefghij\u001b[0m", "\u001b[31m[redacted]\u001b[0m"],
    ["what a cut left of a token", "key sk-ant-api03…", "key [redacted]…"],
    ["a private key", `before\n${key}\nafter`, "before\n[redacted]\nafter"],
    ["the end of a private key", `x\n${key.split("\n").slice(1).join("\n")}\ny`, "x\n[redacted]\ny"],
    ["a private key that was cut", `before ${key.slice(0, 50)}`, "before [redacted]"],
    ["two private keys and what is between", `${key} and ${key}`, "[redacted] and [redacted]"],
    ["an authorization header", "Authorization: Bearer abc.def", "Authorization: [redacted]"],
    ["a header in JSON", '{"authorization":"token abc","x":1}', '{"authorization":"[redacted]","x":1}'],
    ["git's extra header", "AUTHORIZATION: basic eDp5", "AUTHORIZATION: [redacted]"],
    ["a bearer token in prose", "sent Bearer 0123456789abcdefXYZ= there", "sent Bearer [redacted] there"],
    ["a cookie", "Cookie: a=b; c=d\nHost: x", "Cookie: [redacted]\nHost: x"],
    ["a password in an address", "https://me:hunter2@host/x", "https://[redacted]@host/x"],
    ["a password with an @ in it", "https://me:p@ss@host/x", "https://[redacted]@host/x"],
    ["a token as the name in an address", "https://hunter2@host/x", "https://[redacted]@host/x"],
    ["a database's password", "postgres://u:hunter2@db:5432/x", "postgres://[redacted]@db:5432/x"],
    ["a setting", "export GITHUB_TOKEN=hunter2", "export GITHUB_TOKEN=[redacted]"],
    ["a setting in quotes", "client_secret = 'hunter 2' # x", "client_secret = '[redacted]' # x"],
    ["a setting in JSON", '{"apiKey": "hun\\"ter", "n": 1}', '{"apiKey": "[redacted]", "n": 1}'],
    ["a setting in YAML", "password: hunter2", "password: [redacted]"],
    ["a bearer's value", "bearer: s3cr3tvalue", "bearer: [redacted]"],
    ["a bearer's value in JSON", '{"bearer":"s3cr3tvalue"}', '{"bearer":"[redacted]"}'],
    ["a bearer token as a setting", "BEARER_TOKEN=s3cr3t", "BEARER_TOKEN=[redacted]"],
    ["a passphrase of words", "passphrase: correct horse", "passphrase: [redacted] horse"],
    ["a token of letters alone", "token: abcdef", "token: [redacted]"],
    ["a query parameter", "GET /x?a=1&access_token=hunter2&b=2", "GET /x?a=1&access_token=[redacted]&b=2"],
    ["an option", "curl --token hunter2 --verbose", "curl --token [redacted] --verbose"],
    ["a setting named in a setting", "note: token=hunter2", "note: token=[redacted]"],
    ["a setting inside a quoted text", '{"log":"password=hunter2 x"}', '{"log":"password=[redacted] x"}'],
    [
      "a name behind a line's end in quotes",
      String.raw`"a\npassword=hunter2"`,
      String.raw`"a\npassword=[redacted]"`,
    ],
    [
      "JSON in a quoted text",
      String.raw`"{\"token\": \"hunter2\"}"`,
      String.raw`"{\"token\": \"[redacted]\"}"`,
    ],
    ["a password in .netrc", "login ann\n  password hunter2", "login ann\n  password [redacted]"],
    ["an option in quotes", "x --password 'hunter 2' y", "x --password '[redacted]' y"],
    ["an option with =", "tool --api-key=hunter2", "tool --api-key=[redacted]"],
    ["a hash under a secret's name", `token=${sha}`, "token=[redacted]"],
  ])("%s is taken out", (_, text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test.each<[name: string, text: string]>([
    ["a commit", `landed ${sha} on main`],
    ["a commit under a name", `head=${sha} base: ${sha}`],
    ["an author", "author: Ada <ada@example.org>"],
    ["a title about logins", "auth: fix the login"],
    ["a title about bearers", "bearer: accept the new scheme"],
    ["a title about tokens", "fix(api): token: show when it ends"],
    ["an author in JSON", '{"author":"ada","authored_at":"2026-01-01"}'],
    ["tokens that are counted", "input_tokens=120 output_tokens: 7 tokens=3"],
    ["an ssh address", "ssh://git@github.com/o/r.git and git@github.com:o/r.git"],
    ["an address without a name", "https://github.com/o/r/pull/3#issuecomment-1"],
    ["an e-mail address", "write to me@example.org"],
    ["words that begin alike", "risk-averse task-0123456789012345678901 disk-a ghp_short"],
    ["machines and repositories", "xapp-frontend-7f9c8 o/xapp-backend-service xoxo-greetings"],
    ["a public key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ public_key=abc"],
    ["a name with nothing in it", 'token="" secret: null password=none'],
    ["the key's reference", "key_ref=/home/me/key.pub"],
    ["an option without a value", "tool --token --verbose"],
    ["words after basic", "the basic responsibilities of a bearer of good news"],
    ["ordinary prose", "The gate is red: 3 tests failed, see the log."],
  ])("%s stays", (_, text) => {
    expect(redactText(text)).toBe(text);
  });

  test("doing it twice is doing it once", () => {
    const pieces = fc.constantFrom(
      ...[
        "token",
        "password",
        "author",
        "=",
        ": ",
        '"',
        "'",
        " ",
        "\n",
        "[redacted]",
        "]",
        "@",
        "https://",
        "a:b",
      ],
      ...[
        "ghp_0123456789abcdefghij",
        "Authorization: ",
        "--secret ",
        "Bearer ",
        sha,
        key,
        "x",
        "&",
        ",",
        "\\",
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (words) => {
        const once = redactText(words.join(""));
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: LONG ? 2000 : 500 },
    );
  });

  test("what koryph names things by stays: hashes, ULIDs, beads, refs, runs", () => {
    const from = (letters: string, length: number | [number, number]) => {
      const [minLength, maxLength] = typeof length === "number" ? [length, length] : length;
      return fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });
    };
    const hash = fc.oneof(from("0123456789abcdef", 40), from("0123456789abcdef", 64));
    const ulid = from("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 26);
    const bead = fc
      .tuple(
        fc.constantFrom("gh", "b", "shop", "auth", "token", "s", "bd"),
        from("abcdefghij0123456789.", [1, 12]),
      )
      .map(([prefix, rest]) => `${prefix}-${rest}`);
    const ref = fc.oneof(
      bead.map((id) => `agent/${id}`),
      bead.map((id) => `refs/koryph/wip/${id}`),
      fc.constantFrom("refs/heads/main", "refs/koryph/ledger-3"),
    );
    const run = from("0123456789abcdef", 4).map((tail) => `20260131-120000-${tail}`);
    const name = fc.oneof(hash, ulid, bead, ref, run);
    fc.assert(
      fc.property(name, name, (one, other) => {
        for (const text of [
          one,
          `${one} ${other}`,
          `${one}:${other}`,
          `${one}/${other}`,
          `at ${one}, then ${other}.`,
        ])
          expect(redactText(text)).toBe(text);
      }),
      { numRuns: LONG ? 2000 : 500 },
    );
  });

  test("an installation token goes as a whole in both its forms, and the words around it stay", () => {
    const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const part = (least: number, most: number) =>
      fc.string({ unit: fc.constantFrom(...base64url), minLength: least, maxLength: most });
    const signed = fc
      .tuple(fc.integer({ min: 1, max: 9_999_999 }), part(8, 60), part(20, 300), part(40, 90))
      .map(([app, head, claims, signature]) => `ghs_${app}_eyJ${head}.eyJ${claims}.${signature}`);
    const opaque = fc
      .string({ unit: fc.constantFrom(...base64url.slice(0, 62)), minLength: 36, maxLength: 36 })
      .map((rest) => `ghs_${rest}`);
    // What calls itself an example is none, and chance writes such words now and then.
    const real = fc
      .oneof(signed, opaque)
      .filter((token) => !/example|redacted|dummy|placeholder/i.test(token) && new Set(token).size > 12);
    const word = fc.constantFrom(
      "landed",
      sha,
      "the author",
      "highs_and_lows",
      "ghs",
      "src/auth/key.ts",
      "tokens",
    );
    fc.assert(
      fc.property(real, word, word, (token, before, after) => {
        expect(redactText(`${before} ${token} ${after}`)).toBe(`${before} [redacted] ${after}`);
        expect(redactText(`"${token}",\n'${token}'`)).toBe(`"[redacted]",\n'[redacted]'`);
        expect(secretKinds(`+ ${token}`)).toContain("GitHub token");
        expect(secretKinds(`${before} ${after}`)).toEqual([]);
      }),
      { numRuns: LONG ? 2000 : 300 },
    );
  });

  test("a very long line is no trap", () => {
    for (const piece of [
      "a",
      "a.",
      "a-",
      "-----BEGIN PRIVATE KEY-----",
      "https://",
      "x:",
      '"',
      "eyJ",
      "token=",
      "  ",
    ])
      expect(redactText(piece.repeat(100_000)).length).toBeGreaterThan(0);
  });
});

const PLANTED = plantSecrets();

describe("secrets of every kind", () => {
  /** The end of a secret that a shape was too short for is a secret, too. */
  const shows = (text: string, value: string) => text.includes(value.slice(-12));

  test.each(PLANTED)("$name is taken out where it is kept, and where it is quoted", ({ value, text }) => {
    const patch = text.replace(/^/gm, "+");
    for (const place of [
      text,
      patch,
      JSON.stringify({ patch }),
      `it says: ${text}`,
      JSON.stringify({ note: `first\n${text}` }),
    ])
      expect([redactText(place), redactCode(place)].filter((found) => shows(found, value))).toEqual([]);
  });

  test.each(PLANTED.filter(({ hasShape }) => hasShape))(
    "$name is found without a name before it, in a patch, too",
    ({ value, text }) => {
      for (const place of [text, text.replace(/^/gm, "+"), `(${text})`, `"${text}",`, `\u001b[31m${text}`])
        expect([redactText(place), redactCode(place)].filter((found) => shows(found, value))).toEqual([]);
      expect(text.split("\n").flatMap(secretKinds)).not.toEqual([]);
    },
  );

  test.each([
    "AWS secret key",
    "Azure account key",
    "Azure bus key",
    "password of a remote",
    "password of a database",
    "password of a queue",
    "password in .netrc",
  ])("%s does not land", (kind) => {
    const { text = "" } = PLANTED.find(({ name }) => name === kind) ?? {};
    expect(text.split("\n").flatMap(secretKinds)).not.toEqual([]);
  });

  test.each([
    "postgres://postgres:postgres@localhost:5432/app",
    "postgres://user:$DB_PASSWORD@db/app",
    "https://user:password1234567@example.com",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "machine example.com login ann password secret",
    "AccountKey=<your key>",
  ])("%s may land: documents are full of it", (text) => {
    expect(secretKinds(text)).toEqual([]);
  });
});

describe("code", () => {
  test.each([
    "  readonly token: string;",
    "+const password = process.env.PASSWORD ?? ask();",
    "authorization: headers.get('authorization'),",
    "if (secret === undefined) return { kind: 'no-secret' };",
    `head: ${sha}`,
    "type Cookie = { session: SessionId }; // cookie: as the browser sends it",
  ])("%s stays", (text) => expect(redactCode(text)).toBe(text));

  test("what looks like the first line of a key hides nothing behind it", () => {
    const begin = ["-----BEGIN", "PRIVATE KEY-----"].join(" ");
    const evil = "+  spawn('sh', ['-c', stranger]);";
    expect(redactCode(`+// ${begin}\n${evil}\n+done();`)).toContain(`${evil}\n+done();`);
  });
});

describe("data", () => {
  test.each<[name: string, value: unknown, expected: unknown]>([
    ["a text under a secret's name", { token: "x" }, { token: "[redacted]" }],
    ["a number under a secret's name", { password: 1234 }, { password: "[redacted]" }],
    ["everything under credentials", { credentials: { user: "me" } }, { credentials: "[redacted]" }],
    [
      "names in any spelling",
      { clientSecret: "x", "X-Api-Key": "y", DB_PASSWORD: "z" },
      {
        clientSecret: "[redacted]",
        "X-Api-Key": "[redacted]",
        DB_PASSWORD: "[redacted]",
      },
    ],
    ["what is nested", { a: [{ b: "ghp_0123456789abcdefghij" }] }, { a: [{ b: "[redacted]" }] }],
  ])("%s is taken out", (_, value, expected) => {
    expect(redact(value)).toEqual(expected);
  });

  test.each<[name: string, value: unknown]>([
    ["a commit under an ordinary name", { head: sha, commits: [sha] }],
    ["an author", { author: "ada", author_email: "ada@example.org" }],
    ["footprint tokens and counts", { tokens: ["src/api"], max_tokens: 5, token_count: 1 }],
    ["whether there is a secret", { token: null, secret: false, password: "" }],
    ["what is no text", [1, true, null]],
  ])("%s stays", (_, value) => {
    expect(redact(value)).toEqual(value);
  });
});

test.each([
  ["https://me:hunter2@github.com/o/r.git", "https://github.com/o/r.git"],
  ["https://x-access-token@github.com/o/r.git", "https://github.com/o/r.git"],
  ["ssh://git:pw@host/r", "ssh://host/r"],
  ["ssh://git@host/r", "ssh://git@host/r"],
  ["git@github.com:o/r.git", "git@github.com:o/r.git"],
  ["/srv/git/r.git", "/srv/git/r.git"],
])("%s is kept as %s", (url, expected) => {
  expect(withoutCredentials(url)).toBe(expected);
});
