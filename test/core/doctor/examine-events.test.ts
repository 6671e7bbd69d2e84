import { expect, test } from "vitest";
import { answersEvents, examineEvents } from "../../../src/core/doctor/examine-events.js";
import { eventsWorkflow } from "../../../src/core/setup/events-workflow.js";

const TEXT = eventsWorkflow({ project: "shop", action: `acme/koryph@${"a".repeat(40)}`, checks: ["test"] });

test.each([
  { name: "as koryph init writes it", text: TEXT, says: ["events_ready"] },
  {
    name: "with a checkout",
    text: TEXT.replace("steps:\n", "steps:\n      - uses: actions/checkout@v4\n"),
    says: ["events_check_out"],
  },
  {
    name: "with a group that drops what waits",
    text: `${TEXT}concurrency:\n  group: koryph\n`,
    says: ["events_dropped"],
  },
  {
    name: "with a group that keeps what waits",
    text: `${TEXT}concurrency:\n  group: koryph\n  queue: max\n`,
    says: ["events_ready"],
  },
  {
    name: "without a workflow that came later",
    text: TEXT,
    checks: ["test", "lint"],
    says: ["events_unheard"],
  },
])("the workflow that answers comments, $name", ({ text, checks = ["test"], says }) => {
  expect(answersEvents(text)).toBe(true);
  const found = examineEvents({ file: "koryph-events.yml", text, checks });
  expect(found.map(({ code }) => code)).toEqual(says);
});
