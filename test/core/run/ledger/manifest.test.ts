import { expect, test } from "vitest";
import { manifestOf } from "../../../../src/core/run/ledger/manifest.js";
import { acceptedSlot, candidate, projectWith, sha, slot } from "../../../support/core/slots.js";

const config = projectWith({ bootstrap: ["npm ci"] });

test("a slot at work shows what its commits stand on and where they are saved", () => {
  const at = slot({ commits: 2, head: sha("d"), began: sha("e"), note: "still at it" });
  expect(manifestOf(at, config, "/clones/b-1")).toMatchObject({
    bead_id: "b-1",
    execution_state: "running",
    next_action: "wait for the agent, or re-attach to it",
    worktree: "/clones/b-1",
    branch: "agent/b-1",
    base_commit: sha("e"),
    head_commit: sha("d"),
    wip_ref: "refs/koryph/wip/b-1",
    review_status: null,
    last_refusal: null,
    bootstrap_commands: ["npm ci"],
  });
});

test("what was accepted stands on the candidate's base, and a refusal is shown without its code", () => {
  const refusal = { result: "gate-failed", code: "", detail: "`make test` ended with 2" } as const;
  const refused = acceptedSlot({ status: "blocked", refusal });
  expect(manifestOf(refused, config, "")).toMatchObject({
    base_commit: candidate.base,
    last_refusal: { result: "gate-failed", detail: "`make test` ended with 2" },
    next_action: "nothing, until koryph retry",
  });
});

test("nothing is said to be saved where there is no commit", () => {
  expect(manifestOf(slot(), config, "")).toMatchObject({ wip_ref: null, base_commit: null });
});
