import { describe, expect, test } from "vitest";
import { answerWhy } from "../../../../src/core/control/answer-question.js";
import { beadStatus, closedStatus } from "../../../../src/core/replies/control/bead-status.js";
import { withheldText } from "../../../../src/core/replies/issues/withheld.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { NOW } from "../../../support/core/control.js";
import { slot, stateWith } from "../../../support/core/slots.js";

function status(fields: Partial<Slot>): string {
  const state = stateWith(slot({ bead: "gh-7", note: "no idea", ...fields }));
  return beadStatus(7, answerWhy("gh-7", { state, now: NOW, own: "gh-7" }));
}

const release = { by: "maria", at: "2026-11-18T10:00:00Z", text: "abc" };

describe("whoever released a bead is called", () => {
  test.each(["blocked", "conflict", "merge-pending", "pr-opened"] as const)("when it is %s", (stands) => {
    expect(status({ status: stands, release })).toContain("@maria, this waits for a person.");
  });

  test.each(["running", "queued", "landing", "merged"] as const)(
    "and left alone while it is %s",
    (stands) => {
      expect(status({ status: stands, release })).not.toContain("@");
    },
  );

  test("unless nobody did, or the ledger names what can be nobody", () => {
    expect(status({ status: "blocked" })).not.toContain("waits for a person");
    const forged = { ...release, by: "team/all of you @here" };
    expect(status({ status: "blocked", release: forged })).not.toContain("@here");
  });
});

test("of a refused landing it says what to type there, and what at a terminal", () => {
  const refusal = { result: "protected", code: "", detail: "it changes .github/ci.yml" } as const;
  const text = status({ status: "blocked", refusal });
  expect(text).toContain(
    "<code>/koryph retry gh-7</code>, or at a terminal: after a look <code>koryph land gh-7 --allow-protected</code> lifts",
  );
  expect(text).toContain("koryph land gh-7 --allow-protected");
  expect(status({ status: "blocked" })).not.toContain("at a terminal");
});

test("a closed one says why, as text", () => {
  expect(closedStatus(7, "landed: 0123abc @all")).toMatch(/^<!-- koryph:status 7 -->\n.*0123abc/);
  expect(closedStatus(7, "landed: @all")).not.toContain("@all");
});

test("every reason to withhold an issue names the label, and nothing that a terminal would obey", () => {
  const label = "go";
  const [by, at] = ["eve\u001b[31m", "2026-11-18T10:00:00Z"];
  const texts = [
    withheldText({ code: "no_release_label", label }),
    withheldText({ code: "release_unproven", label }),
    withheldText({ code: "releaser_may_not", label, by }),
    withheldText({ code: "edited_since", label, by, at }),
    withheldText({ code: "edited_since", label, by: null, at }),
    withheldText({ code: "too_many_edits", label }),
  ];
  for (const text of texts) {
    expect(text).toContain("label go");
    expect(text).not.toContain("\u001b");
  }
  expect(new Set(texts).size).toBe(texts.length);
});
