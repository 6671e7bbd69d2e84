import { expect, test } from "vitest";
import { CheckedThreads } from "../../src/app/events/checked-threads.js";
import { LedgerMemory } from "../../src/app/events/ledger-memory.js";
import { replyMarker } from "../../src/core/replies/app/reply.js";
import { statusMarker } from "../../src/core/replies/land/pull/status-comment.js";
import { emptyState } from "../../src/core/run/ledger/ledger-state.js";
import {
  bot,
  github,
  giveToken,
  INSTALLATION,
  nockWorld,
  person,
  useNock,
} from "../support/app/github-nock.js";

useNock();

const mark = replyMarker("comment 5");
const written = { id: 99, node_id: "IC_99", created_at: "2026-01-02T00:00:00Z", user: bot };
const path = "/repos/o/r/issues/comments/99";

function threads(): CheckedThreads {
  giveToken();
  const place = { installation: INSTALLATION, repository: "o/r" };
  return new CheckedThreads(nockWorld().app, place, { id: 12, botLogin: "koryph[bot]" });
}

test.each([
  { name: "our own reply to this comment", shown: { body: `${mark}\nearlier` }, answer: "edited" },
  {
    name: "our own reply to another one",
    shown: { body: `${replyMarker("comment 55")}\nearlier` },
    answer: "gone",
  },
  { name: "a person's comment", shown: { body: "red ones sell best", user: person }, answer: "gone" },
  { name: "a person's that has the mark", shown: { body: `${mark}\n`, user: person }, answer: "gone" },
])(
  "a number that anybody may have written is looked at before it is edited: $name",
  async ({ shown, answer }) => {
    const talk = threads();
    github()
      .get(path)
      .reply(200, { ...written, ...shown });
    if (answer === "edited") github().patch(path).reply(200, { id: 99 });
    expect(await talk.edit(99, `${mark}\nlater`)).toBe(answer);
  },
);

test("what was said here, or found on GitHub, is edited without another look", async () => {
  const talk = threads();
  github().post("/repos/o/r/issues/1/comments").reply(201, { id: 99 });
  expect(await talk.say(1, `${mark}\n`)).toBe(99);
  github().patch(path).reply(200, { id: 99 });
  expect(await talk.edit(99, `${mark}\nlater`)).toBe("edited");
});

test("the status comment of another koryph goes on being kept", async () => {
  const talk = threads();
  const shown = { ...written, body: `${statusMarker(1)}\n`, user: { ...bot, login: "other[bot]" } };
  github().get(path).reply(200, shown);
  github().get("/repos/o/r/issues/1/comments").query(true).reply(200, [shown]);
  github().patch(path).reply(200, { id: 99 });
  expect(await talk.edit(99, `${statusMarker(1)}\nlater`)).toBe("edited");
});

const rows = [
  { text: "/koryph land", verb: "land", result: "queued", code: "", said: "", next: "", more: "" },
];

test.each([
  {
    key: "comment 5",
    place: 0,
    right: { kind: "append", events: [], done: true, said: "" },
    wrong: { said: "" },
  },
  { key: "comment 5", place: -4, right: [null, { kind: "landing" }], wrong: [{ kind: "landed" }] },
  { key: "capped 7 @maria", place: -5, right: { comment: "comment 5", at: 1 }, wrong: null },
  { key: "beads 7", place: 0, right: { kept: 1, issues: {} }, wrong: { issues: [] } },
  { key: "replies 7 1", place: 0, right: [{ to: "comment 5", id: 99, rows: [] }], wrong: [{ id: "99" }] },
  { key: "landing 01X", place: 0, right: null, wrong: { id: 3, login: "maria" } },
])(
  "what is kept as $key $place is read as koryph writes it, or counts as not there",
  async ({ key, place, right, wrong }) => {
    const reads = async (value: string) => {
      const state = emptyState();
      state.app = { ...state.app, kept: [{ key, place, value }] };
      const ledger = { observe: async () => ({ tip: null, state }) };
      return new LedgerMemory({ ledger, repository: "o/r", now: () => 0 }).decided(key, place);
    };
    if (right !== null) expect(await reads(JSON.stringify(right))).toBe(JSON.stringify(right));
    expect(await reads(JSON.stringify(wrong))).toBe(null);
    expect(await reads("{")).toBe(null);
  },
);

test.each([
  { name: "as koryph writes them", value: JSON.stringify(rows), read: true },
  { name: "without their words", value: '[{"code":"looking"}]', read: false },
  { name: "no JSON", value: "[", read: false },
])("rows of a reply are read $name", async ({ value, read }) => {
  const state = emptyState();
  const answer = { reply: null, counts: "yes", owed: { job: "{}", rows: value } } as const;
  const taken = { thread: 1, user: "maria", at: "", takenAt: "", run: 1, attempt: 1, again: false };
  state.app = { ...state.app, comments: [{ ...taken, comment: "comment 5", answer }] };
  const ledger = { observe: async () => ({ tip: null, state }) };
  const memory = new LedgerMemory({ ledger, repository: "o/r", now: () => 0 });
  expect(await memory.decided("comment 5", -1)).toBe(read ? value : null);
});
