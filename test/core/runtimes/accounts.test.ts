import { describe, expect, test } from "vitest";
import type { FoundAccount } from "../../../src/core/govern/account-pin.js";
import { claudeAccount, claudeAccountFiles } from "../../../src/core/runtimes/claude/claude-account.js";
import { codexAccount } from "../../../src/core/runtimes/codex/codex-account.js";
import { RUNTIMES } from "../../../src/core/runtimes/runtimes.js";
import { idToken } from "../../support/core/accounts.js";

const missing = { mode: "missing" } as const;
const unreadable = { mode: "unreadable" } as const;
const login = (email: string) => ({ mode: "login", email }) as const;
const key = (secret: string) => ({ mode: "api-key", secret }) as const;

interface Case {
  readonly name: string;
  readonly texts: readonly (string | null)[];
  readonly found: FoundAccount;
}

describe("Claude Code", () => {
  const of = (emailAddress: string) => JSON.stringify({ oauthAccount: { emailAddress }, projects: {} });

  test.each<Case>([
    {
      name: "names the account of its log-in",
      texts: [of("ann@example.org")],
      found: login("ann@example.org"),
    },
    { name: "without a file is signed in to nothing", texts: [null], found: missing },
    { name: "that was started but not logged in is so too", texts: [`{"numStartups":3}`], found: missing },
    {
      name: "of another form cannot be read",
      texts: [`{"oauthAccount":"ann@example.org"}`],
      found: unreadable,
    },
    { name: "without an address cannot be read", texts: [`{"oauthAccount":{}}`], found: unreadable },
    { name: "with an empty address cannot be read", texts: [of("")], found: unreadable },
    {
      name: "that is cut off cannot be read",
      texts: [of("ann@example.org").slice(0, -3)],
      found: unreadable,
    },
    { name: "that is empty cannot be read", texts: [""], found: unreadable },
    { name: "that is a list cannot be read", texts: ["[]"], found: unreadable },
    { name: "billed by use works by its key", texts: [`{"primaryApiKey":"k1"}`], found: key("k1") },
    {
      name: "billed by use works by its key, whoever logged in",
      texts: [`{"primaryApiKey":"k1","oauthAccount":{"emailAddress":"ann@example.org"}}`],
      found: key("k1"),
    },
    {
      name: "in the default folder is named beside it",
      texts: [`{"numStartups":3}`, of("ann@example.org")],
      found: login("ann@example.org"),
    },
    {
      name: "named twice alike is one",
      texts: [of("ann@example.org"), of("Ann@example.org")],
      found: login("ann@example.org"),
    },
    {
      name: "named twice differently is nobody's for sure",
      texts: [of("ann@example.org"), of("bob@example.org")],
      found: unreadable,
    },
    { name: "half unreadable is unreadable", texts: [of("ann@example.org"), "{"], found: unreadable },
  ])("a profile $name", ({ texts, found }) => expect(claudeAccount(texts)).toEqual(found));

  test("its default folder is named in the home, any other in itself", () => {
    expect(claudeAccountFiles("/home/ann/.claude")).toEqual([
      "/home/ann/.claude/.claude.json",
      "/home/ann/.claude.json",
    ]);
    expect(claudeAccountFiles("/srv/team")).toEqual(["/srv/team/.claude.json"]);
  });
});

describe("Codex", () => {
  const tokens = { id_token: idToken({ email: "ann@example.org" }) };
  const file = (fields: object) => JSON.stringify(fields);

  test.each<Case>([
    { name: "names the account of its log-in", texts: [file({ tokens })], found: login("ann@example.org") },
    {
      name: "names it by its mode",
      texts: [file({ auth_mode: "chatgpt", OPENAI_API_KEY: "k1", tokens })],
      found: login("ann@example.org"),
    },
    { name: "names its key", texts: [file({ OPENAI_API_KEY: "k1" })], found: key("k1") },
    {
      name: "without a mode goes by its key",
      texts: [file({ OPENAI_API_KEY: "k1", tokens })],
      found: key("k1"),
    },
    {
      name: "goes by its key where the mode says so",
      texts: [file({ auth_mode: "apikey", OPENAI_API_KEY: "k1", tokens })],
      found: key("k1"),
    },
    {
      name: "that lacks the key of its mode is empty",
      texts: [file({ auth_mode: "apikey", tokens })],
      found: missing,
    },
    {
      name: "that lacks the log-in of its mode is empty",
      texts: [file({ auth_mode: "chatgpt" })],
      found: missing,
    },
    {
      name: "of a mode that is not known cannot be read",
      texts: [file({ auth_mode: "new", tokens })],
      found: unreadable,
    },
    {
      name: "that was logged out is empty",
      texts: [file({ OPENAI_API_KEY: null, tokens: null })],
      found: missing,
    },
    { name: "without a file is empty", texts: [null], found: missing },
    { name: "that is cut off cannot be read", texts: [`{"tokens":`], found: unreadable },
    {
      name: "whose token is no token cannot be read",
      texts: [file({ tokens: { id_token: "x" } })],
      found: unreadable,
    },
    {
      name: "whose token names nobody cannot be read",
      texts: [file({ tokens: { id_token: idToken({ sub: "1" }) } })],
      found: unreadable,
    },
  ])("a profile $name", ({ texts, found }) => expect(codexAccount(texts)).toEqual(found));

  test("an address outside ASCII is read as it is", () => {
    const id_token = idToken({ email: "jörg@example.org" });
    expect(codexAccount([file({ tokens: { id_token } })])).toEqual(login("jörg@example.org"));
  });
});

test.each(RUNTIMES)("$name: what counts as a token is one of its credentials", ({ account, credentials }) => {
  expect(account.tokens.filter((name) => !credentials.anyOf.includes(name))).toEqual([]);
});

test.each(RUNTIMES)("$name: a folder of it can be pinned, or it is said why not", ({ account }) => {
  expect(account.profile === undefined).toBe(account.noProfile !== undefined);
});
