import { expect, test } from "vitest";
import type { ContainedMark } from "../../../../src/core/contain/containment.js";
import { redispatch } from "../../../../src/core/run/tick/dispatch-events.js";
import { landsByItself } from "../../../../src/core/run/tick/next-step.js";
import { slot } from "../../../support/core/slots.js";

test.each<{
  name: string;
  before?: ContainedMark;
  start: "fresh" | "resume";
  task?: string;
  now?: ContainedMark;
  comes: ContainedMark | undefined;
}>([
  {
    name: "an attempt is on record with what shuts its agent in",
    start: "fresh",
    now: "namespaces",
    comes: "namespaces",
  },
  { name: "nothing is on record where nobody looked", start: "fresh", comes: undefined },
  {
    name: "a fresh start forgets what was missing",
    before: "missing",
    start: "fresh",
    now: "namespaces",
    comes: "namespaces",
  },
  {
    name: "whoever goes on with uncontained work keeps the mark",
    before: "missing",
    start: "resume",
    now: "namespaces",
    comes: "missing",
  },
  {
    name: "so does a stage on top of it",
    before: "missing",
    start: "fresh",
    task: "stage:docs",
    now: "namespaces",
    comes: "missing",
  },
  {
    name: "and its review",
    before: "missing",
    start: "fresh",
    task: "review",
    now: "namespaces",
    comes: "missing",
  },
  {
    name: "work that nothing was to shut in bears none",
    before: "none",
    start: "resume",
    now: "namespaces",
    comes: "namespaces",
  },
])("$name", ({ before, start, task = "implement", now, comes }) => {
  const event = redispatch(slot({ status: "queued", start, task, contained: before }), { contained: now });
  expect((event.data as { contained?: string }).contained).toBe(comes);
});

test("what was made without the containment that is required lands by no flag", () => {
  const made = (contained: ContainedMark) => slot({ mergePolicy: "auto", contained });
  for (const options of [{ autoMerge: true }, { direct: true }]) {
    expect(landsByItself(made("namespaces"), options as never)).toBe(true);
    expect(landsByItself(made("none"), options as never)).toBe(true);
    expect(landsByItself(made("missing"), options as never)).toBe(false);
  }
});
