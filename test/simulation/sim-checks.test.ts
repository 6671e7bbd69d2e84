import { expect, test } from "vitest";
import type { Slot } from "../../src/core/run/ledger/slot.js";
import { slot } from "../support/core/slots.js";
import { checkBlame } from "./sim-provider.js";

test.each<{ name: string; given: Partial<Slot>; verdict: "fine" | "wrong" }>([
  {
    name: "a bead that the provider's limit blocked is a mistake",
    given: { noteCode: "agent-ended" },
    verdict: "wrong",
  },
  {
    name: "a machine that cannot read what such an agent left is none",
    given: { noteCode: "effect-failed" },
    verdict: "fine",
  },
  {
    name: "a bead that waits for its provider is none",
    given: { status: "queued", noteCode: "runtime-paused" },
    verdict: "fine",
  },
])("$name", ({ given, verdict }) => {
  const judged = () => checkBlame(slot({ status: "blocked", outcome: "limited", ...given }));
  if (verdict === "wrong") expect(judged).toThrow("ended as limited");
  else expect(judged).not.toThrow();
});
