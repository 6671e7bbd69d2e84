import { expect, test } from "vitest";
import { ShowBeads } from "../../src/comments/show-beads.js";
import { statusMarker } from "../../src/core/replies/land/pull/status-comment.js";
import { emptyState, type LedgerState } from "../../src/core/run/ledger/ledger-state.js";
import { heldFor, landed, NOW, taken, working } from "../support/core/control.js";

function world() {
  const comments = new Map<number, string>();
  const decisions = new Map<string, string>();
  const troubles: string[] = [];
  let asked = 0;
  let broken = false;
  const beads = new ShowBeads({
    memory: {
      decided: async (key) => decisions.get(key) ?? null,
      decide: async (key, _, text) => {
        decisions.set(key, text);
      },
    },
    now: () => NOW,
  });
  const place = {
    repository: 1,
    threads: {
      say: async (_: number, body: string) => {
        asked += 1;
        if (broken) throw new Error("GitHub is down");
        const id = 1 + comments.size;
        comments.set(id, body);
        return id;
      },
      edit: async (id: number, body: string) => {
        asked += 1;
        if (!comments.has(id)) return "gone" as const;
        comments.set(id, body);
        return "edited" as const;
      },
      findStatus: async (thread: number) => {
        asked += 1;
        return [...comments].findLast(([, body]) => body.startsWith(statusMarker(thread)))?.[0] ?? null;
      },
    },
    digest: (text: string) => text,
    onTrouble: (bead: string) => troubles.push(bead),
  };
  return {
    ...{ beads, comments, decisions, troubles },
    show: (state: LedgerState) => beads.show(place, state),
    requests: () => asked,
    break: (now: boolean) => {
      broken = now;
    },
  };
}

test("there is nothing on an issue that nobody used koryph on, nor where the ledger has no bead", async () => {
  const { beads, show, requests } = world();
  await show(working);
  await beads.follow(1, 8);
  await beads.follow(2, 7);
  await show(working);
  expect(requests()).toBe(0);
});

test("there is one comment, edited as the bead goes on, and what is to be seen already costs nothing", async () => {
  const { beads, comments, show, requests } = world();
  await beads.follow(1, 7);
  for (const [state, words] of [
    [working, "an agent is at work"],
    [heldFor("not yet"), "held by"],
    [taken("blocked", { note: "no licence" }), "/koryph retry gh-7"],
    [taken("pr-opened"), "its pull request is open"],
    [landed, "has landed as"],
  ] as const) {
    await show(state);
    const before = requests();
    await show(state);
    expect(requests()).toBe(before);
    expect([...comments.values()]).toEqual([expect.stringContaining(words)]);
  }
});

test("two who look at once write one comment, and a lost database finds it again", async () => {
  const { beads, comments, decisions, show } = world();
  await beads.follow(1, 7);
  await Promise.all([show(working), show(working), beads.follow(1, 9)]);
  expect(comments.size).toBe(1);
  decisions.clear();
  await beads.follow(1, 7);
  await show(landed);
  expect([...comments.values()]).toEqual([expect.stringContaining("has landed")]);
});

test("whoever deletes it gets no other, also after another command", async () => {
  const { beads, comments, show } = world();
  await beads.follow(1, 7);
  await show(working);
  comments.clear();
  await show(landed);
  await beads.follow(1, 7);
  await show(working);
  expect(comments.size).toBe(0);
});

test("a hold that was lifted is not left standing", async () => {
  const { beads, comments, show } = world();
  await beads.follow(1, 7);
  await show({ ...heldFor("not yet"), slots: {} });
  await show(emptyState());
  expect([...comments.values()]).toEqual([expect.not.stringContaining("held by")]);
});

test("what goes wrong with an issue is told, and tried again with the next look", async () => {
  const { beads, comments, troubles, show, ...github } = world();
  await beads.follow(1, 7);
  github.break(true);
  await show(working);
  expect(troubles).toEqual(["gh-7"]);
  github.break(false);
  await show(working);
  expect(comments.size).toBe(1);
});
