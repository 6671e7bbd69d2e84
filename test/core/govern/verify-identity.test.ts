import { expect, test } from "vitest";
import {
  AccountIdentity,
  type AccountProfile,
  type IdentityDecision,
  verifyIdentity,
} from "../../../src/core/govern/verify-identity.js";

const login = (email: string) => ({ mode: "login", email }) as const;
const key = (fingerprint: string) => ({ mode: "api-key", fingerprint }) as const;
const token = (fingerprint: string) => ({ mode: "oauth-token", fingerprint }) as const;

const digest = (text: string) => `digest of ${text}`;
const loginMark = (email: string) => ({ mode: "login", fingerprint: digest(email) }) as const;

const refused = (why: Extract<IdentityDecision, { kind: "refused" }>["why"]): IdentityDecision => ({
  kind: "refused",
  why,
});

test.each<{
  name: string;
  profile: AccountProfile;
  expects: AccountIdentity | null;
  expected: IdentityDecision;
}>([
  {
    name: "the same address is the same account",
    profile: login("ann@example.org"),
    expects: login("ann@example.org"),
    expected: { kind: "verified", ...loginMark("ann@example.org") },
  },
  {
    name: "in either case",
    profile: login("Ann@Example.org"),
    expects: login(" ann@example.ORG "),
    expected: { kind: "verified", ...loginMark("ann@example.org") },
  },
  {
    name: "the same key is the same account",
    profile: key("ab12"),
    expects: key("ab12"),
    expected: { kind: "verified", ...key("ab12") },
  },
  {
    name: "keys are told apart by case",
    profile: key("AB12"),
    expects: key("ab12"),
    expected: refused({ code: "identity_differs", expected: key("ab12"), found: key("AB12") }),
  },
  {
    name: "another address is another account",
    profile: login("bob@example.org"),
    expects: login("ann@example.org"),
    expected: refused({
      code: "identity_differs",
      expected: loginMark("ann@example.org"),
      found: loginMark("bob@example.org"),
    }),
  },
  {
    name: "a token is not a key",
    profile: token("ab12"),
    expects: key("ab12"),
    expected: refused({ code: "identity_differs", expected: key("ab12"), found: token("ab12") }),
  },
  {
    name: "nor is a login",
    profile: login("ab12"),
    expects: key("ab12"),
    expected: refused({ code: "identity_differs", expected: key("ab12"), found: loginMark("ab12") }),
  },
  {
    name: "a profile that is missing is refused",
    profile: { mode: "missing" },
    expects: key("ab12"),
    expected: refused({ code: "identity_missing", expected: key("ab12") }),
  },
  {
    name: "so is one that nobody can read",
    profile: { mode: "unreadable" },
    expects: key("ab12"),
    expected: refused({ code: "identity_unreadable", expected: key("ab12") }),
  },
  {
    name: "one that names nobody is as good as unreadable",
    profile: login(" "),
    expects: login("ann@example.org"),
    expected: refused({ code: "identity_unreadable", expected: loginMark("ann@example.org") }),
  },
  {
    name: "without an expectation nobody is let through",
    profile: key("ab12"),
    expects: null,
    expected: refused({ code: "identity_not_expected" }),
  },
  {
    name: "an empty address is no expectation",
    profile: login(""),
    expects: login(""),
    expected: refused({ code: "identity_not_expected" }),
  },
  {
    name: "nor is an empty fingerprint, whatever the profile",
    profile: { mode: "missing" },
    expects: key(" "),
    expected: refused({ code: "identity_not_expected" }),
  },
])("$name", ({ profile, expects, expected }) => {
  expect(verifyIdentity(profile, expects, digest)).toEqual(expected);
});

test("accounts whose fingerprints happen to be the same are still different", () => {
  const same = () => "0000";
  expect(verifyIdentity(login("ann@example.org"), login("bob@example.org"), same).kind).toBe("refused");
});

test("no address is part of an answer", () => {
  const answer = verifyIdentity(
    login("ann@example.org"),
    login("bob@example.org"),
    (text) => `${text.length}`,
  );
  expect(JSON.stringify(answer)).not.toMatch(/ann|bob/);
});

test.each([login("ann@example.org"), key("ab12"), token("ab12")])("%j can be written down", (identity) => {
  expect(AccountIdentity.parse(identity)).toEqual(identity);
});

test("a key itself cannot", () => {
  expect(AccountIdentity.safeParse({ ...key("ab12"), key: "secret" }).success).toBe(false);
});
