import { expect, test } from "vitest";
import type { AppFacts } from "../../../src/core/doctor/examine-app.js";
import { answeringApp, answersEvents, examineEvents } from "../../../src/core/doctor/examine-events.js";
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
  const found = examineEvents({ file: "koryph-events.yml", text, checks, app: null });
  expect(found.map(({ code }) => code)).toEqual(says);
});

test("beside an App that hears comments, the workflow answers each of them a second time", () => {
  const found = examineEvents({ file: "koryph-events.yml", text: TEXT, checks: ["test"], app: "our-koryph" });
  expect(found).toEqual([{ code: "events_beside_app", file: "koryph-events.yml", slug: "our-koryph" }]);
});

test.each<{ name: string; facts: AppFacts | null; is: string | null }>([
  { name: "no App", facts: null, is: null },
  { name: "an App that a server speaks for", facts: seen(["issue_comment"]), is: "ours" },
  { name: "an App that is there for its token only", facts: seen([]), is: null },
  {
    name: "an App of which only the name is known",
    facts: { kind: "unseen", slug: "ours", why: "hidden" },
    is: "ours",
  },
])("who else answers: $name", ({ facts, is }) => expect(answeringApp(facts)).toBe(is));

function seen(events: readonly string[]): AppFacts {
  return { kind: "seen", slug: "ours", id: 7, permissions: {}, events, installed: "yes" };
}
