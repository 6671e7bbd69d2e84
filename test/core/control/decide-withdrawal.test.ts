import { expect, test } from "vitest";
import { decideWithdrawal } from "../../../src/core/control/decide-withdrawal.js";
import { emptyState } from "../../../src/core/run/ledger/ledger-state.js";
import { withdrawalEvent } from "../../../src/pulls/withdraw-landing.js";
import { append, landingOf, sha } from "../../support/core/slots.js";

const landing = landingOf({ kind: "land-pull", pull: 7, bead: "pull-7" });
const notQueued = { kind: "refuse", refusal: { code: "not_queued" } };

test("a landing in the queue can be taken back, and that of another pull request is not", () => {
  expect(decideWithdrawal({ landings: [landing] }, 7)).toEqual({ kind: "withdraw", landing });
  expect(decideWithdrawal({ landings: [landing] }, 8)).toEqual(notQueued);
  expect(decideWithdrawal({ landings: [] }, 7)).toEqual(notQueued);
});

test("one that somebody has announced to push cannot: the push may still arrive", () => {
  const announced = { ...landing, intended: { from: sha("a"), head: sha("b") } };
  expect(decideWithdrawal({ landings: [announced] }, 7)).toEqual({
    kind: "refuse",
    refusal: { code: "too_late", head: sha("b") },
  });
});

test("the record takes it out of the queue, and means nothing once it has landed", () => {
  const [base, head] = [sha("1"), sha("2")];
  const data = { pull: 7, branch: "main", base, head, method: "ff", allow_protected: false } as const;
  const state = emptyState();
  append(state, { type: "pull.landing", bead: "pull-7", data });
  const [first] = state.landings;
  append(state, withdrawalEvent(first ?? landing));
  expect(state.landings).toEqual([]);

  append(state, { type: "pull.landing", bead: "pull-7", data });
  const [second = landing] = state.landings;
  append(state, { type: "land.landed", bead: "pull-7", data: { request: second.id, from: base, head } });
  append(state, { type: "pull.landing", bead: "pull-7", data });
  append(state, withdrawalEvent(second));
  expect(state.landings).toHaveLength(1);
});
