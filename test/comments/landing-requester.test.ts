import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { landingRequester } from "../../src/comments/landing-requester.js";
import type { Role } from "../../src/core/commands/roles.js";
import type { LedgerEvent } from "../../src/core/run/ledger/ledger-event.js";
import { ulid } from "../../src/lib/ulid.js";
import type { PullFacts } from "../../src/ports/pulls.js";
import type { Writing } from "../../src/ports/threads.js";
import { sha } from "../support/core/slots.js";

const digest = (text: string) => createHash("sha256").update(text).digest();
const createdAt = "2026-01-01T10:00:00Z";
const written: Writing = {
  ...{ body: `/koryph land ${sha("2").slice(0, 12)}`, author: { login: "maria", id: 3 }, viaApp: null },
  ...{ createdAt, url: "https://github.test/team/shop/pull/7#issuecomment-1", edited: async () => false },
};

interface Given {
  readonly writing?: Partial<Writing> | null;
  readonly id?: string;
  readonly head?: string;
  readonly method?: string;
  readonly role?: Role;
}

async function asked({ writing = {}, id, head = sha("2"), method = "ff", role = "write" }: Given) {
  const shown = writing === null ? null : { ...written, ...writing };
  const body = shown?.body ?? written.body;
  const made = ulid(Date.parse(createdAt), digest("comment 1 0"));
  const evidence = {
    ...{ url: written.url, source: "comment 1", login: "maria", user_id: 3 },
    body_sha256: digest(writing !== null && writing.url === "edited" ? "before" : body).toString("hex"),
  };
  const data = { pull: 7, branch: "main", base: sha("1"), head, method, allow_protected: false };
  const event = {
    ...{ id: id ?? made, at: createdAt, actor: "@maria", type: "pull.landing" },
    evidence,
    data,
  };
  const parts = {
    threads: { read: async () => shown, role: async () => role },
    pulls: { read: async () => ({ number: 7 }) as PullFacts },
    record: { activity: async () => null },
    method: "ff" as const,
    digest,
  };
  return landingRequester(parts, "team/shop", event as unknown as LedgerEvent);
}

test("whoever asked for a landing is known again by their comment", async () => {
  expect(await asked({})).toMatchObject({ id: 3, login: "maria", evidence: { source: "comment 1" } });
});

test("also by another name that they have taken since", async () => {
  const author = { login: "maria-m", id: 3 };
  expect(await asked({ writing: { author } })).toMatchObject(author);
});

test.each<{ name: string; given: Given }>([
  { name: "the comment was deleted", given: { writing: null } },
  { name: "it was edited since", given: { writing: { url: "edited" } } },
  { name: "somebody has edited it", given: { writing: { edited: async () => true } } },
  { name: "somebody else wrote it", given: { writing: { author: { login: "mallory", id: 9 } } } },
  {
    name: "somebody else has taken the name of whoever wrote it",
    given: { writing: { author: { login: "maria", id: 9 } } },
  },
  { name: "an app wrote it", given: { writing: { viaApp: 4 } } },
  { name: "it stands on another thread", given: { writing: { url: "https://github.test/pull/8#x" } } },
  { name: "the event is not the one that it makes", given: { id: ulid(0, digest("forged")) } },
  { name: "it names another head", given: { head: sha("9") } },
  { name: "it is to land by another method", given: { method: "squash" } },
  {
    name: "nothing shows that the head was there before",
    given: { writing: { body: "/koryph land" } },
  },
  { name: "it only tries", given: { writing: { body: `/koryph land ${sha("2")} --dry-run` } } },
  { name: "it takes a landing back", given: { writing: { body: "/koryph land --cancel" } } },
  { name: "they may not land any more", given: { role: "triage" } },
])("nobody is, where $name", async ({ given }) => {
  expect(await asked(given)).toBe(null);
});
