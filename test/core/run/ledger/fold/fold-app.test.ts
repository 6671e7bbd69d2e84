import { expect, test } from "vitest";
import { CarriedState } from "../../../../../src/core/run/ledger/carried-state.js";
import { fold } from "../../../../../src/core/run/ledger/fold/fold.js";
import { type NewEvent, readEvent, writeEvent } from "../../../../../src/core/run/ledger/ledger-event.js";
import { emptyState } from "../../../../../src/core/run/ledger/ledger-state.js";
import { append } from "../../../../support/core/slots.js";

const taken = (run: number, comment = "comment 7") =>
  ({ type: "app.took", data: { comment, thread: 3, user: "maria", run, attempt: 1 } }) as const;
const answered = { comment: "comment 7", reply: 9, counts: "yes", owed: null } as const;

test("a comment is taken again until it is answered, and then it is done with", () => {
  const state = emptyState();
  append(state, { type: "app.began", data: {} });
  append(state, taken(11));
  expect(state.app.comments).toMatchObject([{ run: 11, again: false, answer: null }]);
  append(state, taken(12));
  expect(state.app.comments).toMatchObject([{ run: 12, again: true, answer: null }]);
  append(state, { type: "app.answered", data: answered });
  append(state, taken(13));
  expect(state.app.comments).toMatchObject([{ run: 12, answer: { reply: 9, counts: "yes" } }]);
});

test("what was decided of a comment's commands goes with its answer, and what is shown of it stays", () => {
  const state = emptyState();
  append(state, taken(11));
  for (const [key, place, value] of [
    ["comment 7", 0, "old"],
    ["comment 7", 0, "decision"],
    ["comment 7", -4, "outcome"],
    ["beads 1", 0, "issues"],
  ] as const)
    append(state, { type: "app.kept", data: { key, place, value } });
  expect(state.app.kept.map(({ value }) => value)).toEqual(["decision", "outcome", "issues"]);
  append(state, { type: "app.answered", data: answered });
  expect(state.app.kept.map(({ value }) => value)).toEqual(["outcome", "issues"]);
});

test("old comments are forgotten, and what is older than those counts as forgotten from then on", () => {
  const state = emptyState();
  append(state, { type: "app.began", data: {} });
  const { since } = state.app;
  for (let id = 1; id <= 1_000; id += 1) append(state, taken(11, `comment ${id}`));
  expect(state.app.forgotten).toBe(null);
  for (let id = 1_001; id <= 1_003; id += 1) append(state, taken(11, `comment ${id}`));
  expect(state.app.comments).toHaveLength(1_000);
  expect(state.app.comments[0]?.comment).toBe("comment 4");
  expect(state.app).toMatchObject({ since, forgotten: state.app.comments[0]?.at });
});

test("an event without a time begins nothing, and says nothing of what is forgotten", () => {
  const state = emptyState();
  const put = (event: NewEvent) => {
    const line = JSON.parse(
      writeEvent({ ...event, id: `${made++}`.padStart(26, "0"), at: "soon", actor: "x" }),
    );
    fold(state, readEvent(JSON.stringify(line)));
  };
  let made = 9_000_000;
  put({ type: "app.began", data: {} });
  for (let id = 1; id <= 1_003; id += 1) put(taken(11, `comment ${id}`));
  expect(state.app).toMatchObject({ since: null, forgotten: null });
});

test("a new chain carries it on, and one that was rolled before it was known begins without it", () => {
  const state = emptyState();
  append(state, { type: "app.began", data: {} });
  append(state, taken(11));
  expect(CarriedState.parse(JSON.parse(JSON.stringify(state))).app).toEqual(state.app);
  const { app: _, ...older } = JSON.parse(JSON.stringify(emptyState()));
  expect(CarriedState.parse(older).app).toEqual({ since: null, forgotten: null, comments: [], kept: [] });
});
