import { describe, expect, test } from "vitest";
import { pullStanding } from "../../../src/core/control/pull-standing.js";
import type { CarriedApproval } from "../../../src/core/land/pull/carry-approval.js";
import type { PullRefusal } from "../../../src/core/land/pull/pull-refusal.js";
import { carriedLines, carriedText } from "../../../src/core/replies/land/pull/carried-text.js";
import { landingCheck } from "../../../src/core/replies/land/pull/landing-check.js";
import { standingReply } from "../../../src/core/replies/land/pull/look-reply.js";
import { statusComment } from "../../../src/core/replies/land/pull/status-comment.js";
import { fold } from "../../../src/core/run/ledger/fold/fold.js";
import type { LedgerEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { emptyState } from "../../../src/core/run/ledger/ledger-state.js";
import { sha } from "../../support/core/slots.js";

const [BASE, HEAD, NEXT] = [sha("1"), sha("2"), sha("3")];
const open = {
  number: 7,
  state: "open" as "open" | "closed",
  merged: null as object | null,
  head: { branch: "shoes", sha: HEAD, fork: false },
  base: { branch: "main" },
};

const event = (id: string, at: string, type: string, data: object, bead = "pull-7") =>
  ({ id, at: `2026-01-01T${at}:00.000Z`, actor: "maria", type, bead, data }) as unknown as LedgerEvent;
const asked = (pull = 7, id = "a") =>
  event(
    id,
    "10:00",
    "pull.landing",
    { pull, branch: "main", base: BASE, head: HEAD, method: "ff" },
    `pull-${pull}`,
  );
const rebased = event("b", "10:05", "land.rebased", {
  request: "a",
  base: NEXT,
  head: sha("4"),
  moved: true,
});
const intended = event("c", "10:06", "land.intended", { request: "a", from: BASE, head: HEAD });
const landed = event("d", "10:07", "land.landed", {
  request: "a",
  from: BASE,
  head: HEAD,
  receipt: sha("9"),
});
const refused = event("e", "10:08", "land.refused", {
  request: "a",
  result: "error",
  code: "rebase_conflict",
  detail: "it conflicts in a.ts",
});
const withdrawn = event("g", "10:08", "land.refused", {
  ...{ request: "a", result: "error", code: "withdrawn", detail: "its landing was taken back", data: {} },
});
const held = event("f", "10:09", "hold.placed", { reason: "not on Fridays" });

const unapproved: PullRefusal = { code: "not_approved", needed: 1, counted: 0, left: [] };
const behind = (fork: boolean): PullRefusal => ({
  code: "base_moved",
  base: NEXT,
  branch: "main",
  head: "shoes",
  fork,
  repository: "https://github.test/team/shop",
});

interface Given {
  recent?: LedgerEvent[];
  unmet?: PullRefusal[];
  pull?: Partial<typeof open>;
  carried?: CarriedApproval;
}

function told(given: Given) {
  const { recent = [], unmet = [], carried = null } = given;
  const state = emptyState();
  for (const each of recent) fold(state, { kind: "event", event: each });
  const standing = pullStanding({ pull: { ...open, ...given.pull }, state, recent, unmet, carried });
  const { said, next, more } = standingReply(standing, "https://github.test/team/shop");
  const plain = (text: string) =>
    text
      .replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)))
      .replace(/<\/?code>/g, "`")
      .replace(/\u200b/g, "");
  return { standing, said: plain(said), next: plain(next), more: plain(more) };
}

const SHORT = `\`${HEAD.slice(0, 12)}\``;

describe("where a pull request is on its way", () => {
  test.each<{ name: string; given: Given; said: string; next?: string }>([
    {
      name: "with nothing missing, it says what to type",
      given: {},
      said: `nothing keeps ${SHORT} from landing on \`main\``,
      next: "`/koryph land`",
    },
    {
      name: "koryph's own part keeps nobody waiting",
      given: { unmet: [behind(false)] },
      said: `nothing keeps ${SHORT} from landing on \`main\``,
      next: "`/koryph land`",
    },
    {
      name: "each missing condition counts, and so does a hold",
      given: { unmet: [unapproved, behind(true)], recent: [held] },
      said: `3 things keep ${SHORT} from landing on \`main\``,
    },
    {
      name: "a landing in the queue tells since when, by whom, and how many are before it",
      given: { recent: [asked(6, "z"), asked()] },
      said: `${SHORT} is in the queue for \`main\` since 2026-01-01 10:00 UTC, behind 1 other; maria asked for it`,
    },
    {
      name: "a queued landing names what was asked for, not what the branch has now",
      given: { recent: [asked()], pull: { head: { ...open.head, sha: NEXT } } },
      said: `${SHORT} is in the queue for \`main\` since 2026-01-01 10:00 UTC; maria asked for it`,
    },
    {
      name: "koryph's own part has a row below, and does not count",
      given: { unmet: [unapproved, behind(false)] },
      said: `1 thing keeps ${SHORT} from landing on \`main\`, besides what koryph does itself`,
    },
    {
      name: "the last step tells",
      given: {
        recent: [asked(), rebased],
        unmet: [unapproved],
        pull: { head: { ...open.head, sha: sha("4") } },
      },
      said: `koryph has rebased it on \`main\` as \`${sha("4").slice(0, 12)}\`, at 2026-01-01 10:05 UTC. It waits for 1 thing`,
    },
    {
      name: "what is about to be pushed",
      given: { recent: [asked(), intended] },
      said: `${SHORT} is being put on \`main\` since 2026-01-01 10:06 UTC`,
    },
    {
      name: "a hold that a landing waits for",
      given: { recent: [asked(), held] },
      said: `${SHORT} is in the queue for \`main\` since 2026-01-01 10:00 UTC; maria asked for it. It waits for a hold to be lifted`,
    },
    {
      name: "what landed names its receipt",
      given: { recent: [asked(), landed], unmet: [unapproved], pull: { state: "closed", merged: {} } },
      said: `${SHORT} has landed on \`main\`, at 2026-01-01 10:07 UTC; see [its receipt](https://github.test/team/shop/commit/${sha("9")})`,
    },
    {
      name: "what only trying showed is told while the head is the same",
      given: { recent: [asked(), refused], unmet: [unapproved] },
      said: `1 thing keeps ${SHORT} from landing on \`main\`. Its last landing was refused at 2026-01-01 10:08 UTC: it conflicts in a.ts (\`rebase_conflict\`)`,
    },
    {
      name: "a landing that was taken back leaves nothing to put right",
      given: { recent: [asked(), withdrawn] },
      said: `nothing keeps ${SHORT} from landing on \`main\``,
      next: "`/koryph land`",
    },
    {
      name: "and no longer once there is another",
      given: { recent: [asked(), refused], pull: { head: { ...open.head, sha: NEXT } } },
      said: `nothing keeps \`${NEXT.slice(0, 12)}\` from landing on \`main\``,
      next: "`/koryph land`",
    },
    {
      name: "another pull request's landing is not this one's",
      given: { recent: [asked(6), landed] },
      said: `nothing keeps ${SHORT} from landing on \`main\``,
      next: "`/koryph land`",
    },
    {
      name: "what others merged",
      given: { unmet: [unapproved], pull: { state: "closed", merged: {} } },
      said: "merged on GitHub, without koryph",
    },
    { name: "what was closed", given: { pull: { state: "closed" } }, said: "closed without landing" },
  ])("$name", ({ given, said, next = "" }) => {
    const found = told(given);
    expect(found.said).toBe(said);
    expect(found.next).toBe(next);
  });
});

test("each condition has who can meet it, what to type, and its code for tools", () => {
  const { more } = told({ unmet: [unapproved, behind(false), behind(true)], recent: [held] });
  expect(more).toContain(
    "| held by maria: not on Fridays<br>needed: nobody who holds it (`held`) | somebody with",
  );
  expect(more).toContain("| a reviewer with write access | a reviewer types `/koryph approve`");
  expect(more).toContain("| koryph itself | koryph rebases it when it lands |");
  expect(more).toContain("| the author of the pull request | its author types `git fetch");
  expect(more).toContain('"code": "not_approved"');
});

test("what is over lacks nothing", () => {
  const { standing, more } = told({ unmet: [unapproved], recent: [held], pull: { state: "closed" } });
  expect(standing).toMatchObject({ unmet: [], hold: null });
  expect(more).not.toContain("| what is missing");
});

describe("an approval of an older head", () => {
  const [approved, head] = [HEAD, sha("4")];
  const url = "https://github.test/team/shop";
  const carried = { approved, head, base: NEXT };
  const compared = { approvedOn: BASE, headOn: NEXT, rangeDiff: "1:  2222222 = 1:  4444444 feat: shoes\n" };
  const landedAs = (data: object) =>
    event("d", "10:07", "land.landed", { request: "a", from: NEXT, head, ...data });
  const page = (one: string, dots: string, other: string) => `${url}/compare/${one}${dots}${other}`;

  test("is named while the landing waits, and by the ledger once it has landed", () => {
    expect(told({ recent: [asked(), rebased], carried }).standing.carried).toEqual(carried);
    const over = { state: "closed" as const, merged: {} };
    expect(told({ recent: [asked(), landedAs({ approved })], pull: over }).standing.carried).toEqual(carried);
    expect(told({ recent: [asked(), landedAs({})], pull: over, carried }).standing.carried).toBeNull();
    expect(told({ pull: over, carried }).standing.carried).toBeNull();
  });

  test("is shown with pages that can be opened, and what git says", () => {
    const { standing } = told({ recent: [asked(), landedAs({ approved })] });
    const text = carriedText({ ...standing, compared }, url);
    for (const link of [page(BASE, "...", approved), page(NEXT, "...", head), page(approved, "..", head)])
      expect(text).toContain(`(${link})`);
    expect(text).toContain("What has landed is");
    expect(text).toContain("1:  2222222 = 1:  4444444 feat: shoes\n~~~~~~");
    for (const said of [
      statusComment({ ...standing, compared }, url),
      landingCheck({ ...standing, compared }, url).summary,
    ])
      expect(said).toContain(text);
  });

  test("keeps its page where the commits are not here", () => {
    const { standing } = told({ carried });
    const text = carriedText(standing, url);
    expect(text).toContain("What is to land is");
    expect(text).toContain(page(approved, "..", head));
    expect(text).not.toContain("range-diff");
  });

  test("does not crowd out the rest: a long range-diff is cut at a line, and a secret in it is taken out", () => {
    const secret = `ghp_${"a1B2c3D4".repeat(5)}`;
    const rangeDiff = `1:  2222222 ! 1:  4444444 ${secret}\n`.repeat(1_000);
    const text = carriedText({ ...told({ carried }).standing, compared: { ...compared, rangeDiff } }, url);
    expect(Buffer.byteLength(text)).toBeLessThan(8_000);
    expect(text).toMatch(/4444444 \[redacted\]\n\[the rest is left out\]\n~~~~~~/);
    const lines = carriedLines(carried, { ...compared, rangeDiff }, url);
    expect(lines.length).toBeLessThan(30);
    expect(lines.join("\n")).not.toContain(secret);
  });
});
