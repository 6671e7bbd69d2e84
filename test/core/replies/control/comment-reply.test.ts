import { describe, expect, test } from "vitest";
import type { ControlQuestion } from "../../../../src/core/control/control-command.js";
import { unmetConditions } from "../../../../src/core/control/unmet-conditions.js";
import { answerRow, decisionRow, dryRunRow } from "../../../../src/core/replies/control/comment-reply.js";
import { unmetWords } from "../../../../src/core/replies/control/why.js";
import type { LedgerState } from "../../../../src/core/run/ledger/ledger-state.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { ulid } from "../../../../src/lib/ulid.js";
import {
  answer,
  decide,
  hold,
  NOW,
  taken,
  underWay,
  waiting,
  working,
} from "../../../support/core/control.js";
import { slot, stateWith } from "../../../support/core/slots.js";

const row = (question: ControlQuestion, state: LedgerState) =>
  answerRow("", answer(question, { state }), "shop");
const status = (state: LedgerState) => row({ verb: "status", bead: null }, state);
const why = (state: LedgerState, bead: string | null = null) => row({ verb: "why", bead }, state);

describe("an answer", () => {
  test("the status on the thread of a bead that no run has taken says so before it shows the project", () => {
    expect(status(stateWith(slot({ bead: "gh-9" }))).said).toMatch(
      /^no run has taken <code>gh-7<\/code> yet.*how the project stands/,
    );
  });

  describe("the status on a pull request", () => {
    const onPull = (state: LedgerState, own: string | null) =>
      answerRow("", answer({ verb: "status", bead: null }, { state, own, pull: 17 }), "shop");
    const opened = slot({
      bead: "gh-7",
      status: "pr-opened",
      pull: { number: 17, url: "https://github.com/o/r/pull/17" },
    });
    const both = stateWith(opened, slot({ bead: "gh-9" }));

    test("names it and its bead first, with what is missing, and shows the rest below", () => {
      const { said, more } = onPull(both, "gh-7");
      expect(said).toMatch(
        /^pull request 17 is of <code>gh-7<\/code>, which is <code>pr-opened<\/code> .*1 thing keeps it from landing$/,
      );
      expect(said).toContain("<code>/koryph why</code> looks at approvals, checks and rules");
      expect(more).toMatch(
        /its pull request is open, and has not landed[\s\S]*```text[\s\S]*gh-7 +pr-opened/,
      );
    });

    test("finds the bead by what the ledger has on it, where the branch names none", () => {
      expect(onPull(both, null).said).toMatch(/^pull request 17 is of <code>gh-7/);
    });

    test("says of one that has landed as which commit", () => {
      const landed = stateWith({ ...opened, status: "merged", landed: "abc1234" });
      expect(onPull(landed, "gh-7").said).toMatch(
        /^pull request 17 is of <code>gh-7<\/code>, which has landed as <code>abc1234/,
      );
    });

    test("says that no run has taken its bead, or that it has none", () => {
      const others = stateWith(slot({ bead: "gh-9" }));
      expect(onPull(others, "gh-7").said).toMatch(
        /^pull request 17 is of <code>gh-7<\/code>, which no run has taken/,
      );
      expect(onPull(others, null).said).toMatch(
        /^pull request 17 is of no bead that a run has taken.*how the project stands/,
      );
    });
  });

  test("why of a bead that no run knows says that it may not exist", () => {
    expect(why(working, "gh-77").said).toMatch(/^no run knows of <code>gh-77<\/code>, and it may not exist/);
  });

  test("why of the thread's own counts what keeps it", () => {
    expect(why(stateWith()).said).toMatch(/^2 things keep/);
  });

  test("why of a bead that has landed names the commit", () => {
    expect(why(taken("merged", { landed: "abc1234" })).said).toMatch(
      /gh-7<\/code> has landed as <code>abc1234/,
    );
  });

  test("why holds the same as JSON, and nothing in it becomes markup", () => {
    const state = { ...working, holds: { "gh-7": { ...hold, reason: "</pre>\n\n<b>@everyone</b>" } } };
    const { more } = why(state);
    const json = /<pre>([\s\S]*?)<\/pre>/.exec(more)?.[1] ?? "";
    const text = json.replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)));
    expect(JSON.parse(text)).toMatchObject({ bead: "gh-7", unmet: [{ code: "held" }, { code: "at_work" }] });
    expect(more).not.toMatch(/<b>|@everyone/);
  });

  test("what a run has taken is resumed, and a run of its own takes the rest", () => {
    const ended: LedgerState["run"] = { ...underWay, ended: { reason: "drained", code: 4, at: "" } };
    const last = (state: LedgerState) =>
      unmetConditions(state, "gh-7", NOW)
        .map((each) => unmetWords(each).next)
        .at(-1);
    expect(last({ ...stateWith(), run: ended })).toBe("`koryph run`");
    expect(last({ ...taken("queued"), run: ended })).toBe("`koryph run --resume`");
    const { requests } = waiting({ verb: "drain" });
    expect(last({ ...stateWith(), run: underWay, requests })).toBe("`koryph run`, once it has ended");
  });
});

describe("a silent engine", () => {
  const seenAs = ulid(NOW - 600_000, new Uint8Array(10));
  const lease = { id: seenAs, holder: "e", host: "h", ttlSeconds: 60, seenAs };
  const said =
    /\. Nothing was heard of the run's engine since 2025-12-31T23:50:00.000Z: unless it comes back, .*koryph run --resume/;

  test("is told to whoever asks it for something", () => {
    expect(decisionRow("", decide({ verb: "drain" }, { state: { ...working, lease } })).said).toMatch(said);
  });

  test("is told with the status", () => {
    expect(status({ ...working, lease }).said).toMatch(said);
  });
});

test("a dry run tells what would be done", () => {
  expect(dryRunRow(decisionRow("", decide({ verb: "drain" })))).toMatchObject({
    result: "dry-run",
    said: "would be done: agents at work finish, no new ones start, then the run ends",
  });
});

describe("a ledger that somebody wrote to make trouble", () => {
  const evil = (overrides: Partial<Slot>) => taken("running", overrides);

  test("a title cannot leave the block that the status is shown in", () => {
    const { more } = status(evil({ title: "x\n```\n# not a heading\n@everyone" }));
    const fence = /^`+/.exec(more)?.[0] ?? "";
    expect(more.split("\n").filter((line) => line.startsWith(fence))).toHaveLength(2);
  });

  test.each([
    { name: "a model as wide as a book", state: evil({ model: "x".repeat(1_000_000) }) },
    { name: "a title of marks", state: evil({ title: "` ".repeat(200_000) }) },
    { name: "a note of words", state: evil({ note: "word ".repeat(200_000) }) },
  ])("$name does not get into the status", ({ state }) => {
    expect(status(state).more.length).toBeLessThan(2_000);
  });

  test("thousands of beads are cut to what a comment can hold", () => {
    const many = stateWith(...Array.from({ length: 3_000 }, (_, index) => slot({ bead: `b-${index}` })));
    expect(status(many).more).toContain("… and 2500 more");
  });

  test.each([
    "https://x)@walter/#1,https://evil.example/(",
    "https://x/\ud800",
    "javascript:alert(1)",
    "https://x/ y",
  ])("%s is no link", (url) => {
    const evidence = { url, source: "comment 1", body_sha256: "a".repeat(64), login: "x", user_id: 1 };
    const { more } = why({ ...working, holds: { "gh-7": { ...hold, evidence } } });
    expect(more.slice(0, more.indexOf("<details>"))).not.toContain("](");
    expect(more).not.toContain("@walter");
  });

  test("a time that cannot be read is said to be unreadable", () => {
    expect(why(taken("queued", { notBefore: 1e300 })).more).toContain("an unreadable time");
  });
});
