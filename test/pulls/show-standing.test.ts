import { expect, test } from "vitest";
import type { PullStanding } from "../../src/core/control/pull-standing.js";
import { readCheckJob } from "../../src/core/model/check-job.js";
import { landingCheck } from "../../src/core/replies/land/pull/landing-check.js";
import { statusMarker } from "../../src/core/replies/land/pull/status-comment.js";
import type { KeptCheck } from "../../src/ports/check-runs.js";
import { isShown, shownWith, showStanding } from "../../src/pulls/show-standing.js";
import { sha } from "../support/core/slots.js";

const open: PullStanding = {
  ...{ pull: 7, head: sha("2"), base: "main", phase: { kind: "open", refused: null }, hold: null },
  unmet: [{ code: "not_approved", needed: 1, counted: 0, left: [] }],
  ...{ carried: null, compared: null },
};
const landed: PullStanding = {
  ...open,
  phase: {
    ...{ kind: "landed", commit: sha("2"), at: "2026-01-01T10:00:00Z", receipt: sha("9") },
    ...{ from: sha("1"), approved: null },
  },
  unmet: [],
};
const refused = { code: "push_refused", detail: "no", at: "2026-01-01T10:00:00Z" };

test.each<{ name: string; given: Partial<PullStanding>; conclusion: string; title: string }>([
  { name: "what is missing", given: {}, conclusion: "neutral", title: "Not landing: 1 thing is missing" },
  {
    name: "nothing is missing, and nobody asked",
    given: { unmet: [] },
    conclusion: "neutral",
    title: "Not landing: nothing is missing",
  },
  {
    name: "a landing that waits",
    given: { phase: { kind: "landing", head: sha("2"), step: "asked", since: "", by: "maria", ahead: 0 } },
    conclusion: "neutral",
    title: "Landing: 1 thing is missing",
  },
  {
    name: "somebody asked, and has something to do",
    given: { phase: { kind: "open", refused } },
    conclusion: "action_required",
    title: "Refused: 1 thing is missing",
  },
  { name: "it has landed", given: landed, conclusion: "success", title: "Landed" },
  {
    name: "others merged it",
    given: { phase: { kind: "merged" }, unmet: [] },
    conclusion: "neutral",
    title: "Merged on GitHub",
  },
])("the check run: $name", ({ given, conclusion, title }) => {
  expect(landingCheck({ ...open, ...given }, "https://github.test/team/shop")).toMatchObject({
    conclusion,
    title,
  });
});

test("what other people named fits into what GitHub takes, and no secret of theirs is shown", () => {
  const token = `ghp_${"a1B2c3D4".repeat(5)}`;
  const checks = Array.from({ length: 5_000 }, (_, at) => ({
    name: `${token} [x](y) ${at}`,
    state: "failure",
  }));
  const { summary, text } = landingCheck(
    { ...open, unmet: [{ code: "check_red", checks }] },
    "https://github.test/a/b",
  );
  for (const said of [summary, text]) {
    expect(Buffer.byteLength(said)).toBeLessThanOrEqual(65_535);
    expect(said).not.toContain("ghp_a1");
  }
  expect(summary).not.toContain("[x](y)");
});

function world() {
  const kept: { check: KeptCheck; known: number | null }[] = [];
  const comments = new Map<number, string>();
  const decisions = new Map<string, string>();
  return {
    kept,
    comments,
    decisions,
    parts: {
      checks: {
        keep: async (check: KeptCheck, known: number | null) => {
          kept.push({ check, known });
          return known ?? 100 + kept.length;
        },
      },
      threads: {
        say: async (_: number, body: string) => {
          const id = 1 + comments.size;
          comments.set(id, body);
          return id;
        },
        edit: async (id: number, body: string) => {
          if (!comments.has(id)) return "gone" as const;
          comments.set(id, body);
          return "edited" as const;
        },
        findStatus: async (thread: number) =>
          [...comments].findLast(([, body]) => body.startsWith(statusMarker(thread)))?.[0] ?? null,
      },
      memory: {
        decided: async (key: string, place: number) => decisions.get(`${key} ${place}`) ?? null,
        decide: async (key: string, place: number, text: string) => {
          decisions.set(`${key} ${place}`, text);
        },
      },
      digest: (text: string) => text,
      now: () => 0,
    },
  };
}

const AT = { repository: 1, url: "https://github.test/team/shop" };

test("what is to be seen already costs nothing, a change changes the same check run, a new head gets its own", async () => {
  const { parts, kept, decisions } = world();
  expect(await isShown(parts.memory, 1, 7)).toBe(false);
  await showStanding(parts, AT, open);
  await showStanding(parts, AT, open);
  await showStanding(parts, AT, landed);
  await showStanding(parts, AT, { ...open, head: sha("3") });
  expect(kept.map(({ known, check }) => [known, check.head[0], check.conclusion])).toEqual([
    [null, "2", "neutral"],
    [101, "2", "success"],
    [null, "3", "neutral"],
  ]);
  expect(await isShown(parts.memory, 1, 7)).toBe(true);
  expect(await shownWith(parts.memory, 1, sha("3"))).toBe(7);
  expect(await shownWith(parts.memory, 1, sha("4"))).toBe(null);
  // A database that was lost: whoever keeps the check looks for it.
  decisions.clear();
  await showStanding(parts, AT, open);
  expect(kept.at(-1)?.known).toBe(null);
});

test("two that show at the same time, a look and the landing itself, leave one comment and one check run", async () => {
  const { parts, kept, comments } = world();
  await Promise.all([showStanding(parts, AT, open), showStanding(parts, AT, landed)]);
  expect([...comments.values()]).toEqual([expect.stringContaining("has landed on")]);
  expect(kept.map(({ known }) => known)).toEqual([null, 101]);
});

test("there is one comment, edited in place, also after the database was lost, and none once it was deleted", async () => {
  const { parts, comments, decisions } = world();
  await showStanding(parts, AT, open);
  expect([...comments.values()]).toEqual([expect.stringContaining("1 thing keeps")]);
  decisions.clear();
  await showStanding(parts, AT, landed);
  expect([...comments.values()]).toEqual([expect.stringContaining("has landed on")]);
  comments.clear();
  await showStanding(parts, AT, open);
  await showStanding(parts, AT, { ...open, unmet: [] });
  expect([...comments.values()]).toEqual([]);
});

test("what was over before koryph had to do with it is not told of", async () => {
  const { parts, comments, kept } = world();
  await showStanding(parts, AT, { ...open, phase: { kind: "merged" }, unmet: [] });
  expect([comments.size, kept.length]).toEqual([0, 0]);
});

test.each<{ name: string; given: object; expected: object | null }>([
  {
    name: "a check run that ended",
    given: { action: "completed", check_run: { name: "test", head_sha: sha("1"), app: { id: 5 } } },
    expected: { ended: sha("1"), app: 5 },
  },
  {
    name: "one that began tells nothing that could be shown",
    given: { action: "created", check_run: { name: "test", head_sha: sha("1"), app: { id: 5 } } },
    expected: { ended: null, app: 5 },
  },
  {
    name: "a suite",
    given: { action: "completed", check_suite: { app: { id: 5 } } },
    expected: { ended: null, app: 5 },
  },
  { name: "a status", given: { sha: sha("1"), state: "success" }, expected: { ended: sha("1"), app: null } },
  { name: "a status that is pending", given: { sha: sha("1"), state: "pending" }, expected: { ended: null } },
  { name: "no commit", given: { sha: "main", state: "success" }, expected: null },
])("a webhook about checks: $name", ({ given, expected }) => {
  const place = { installation: { id: 3 }, repository: { id: 1, full_name: "team/shop" } };
  const found = readCheckJob({ ...place, ...given });
  if (expected === null) expect(found).toBe(null);
  else expect(found).toMatchObject(expected);
});
