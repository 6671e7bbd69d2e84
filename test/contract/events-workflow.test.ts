import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { registerReactions } from "../../src/app/app.js";
import { ActionInputs } from "../../src/core/config/action-inputs.js";
import { WORKFLOW_EVENTS } from "../../src/core/config/workflow-event.js";
import { HANDLED_EVENTS } from "../../src/core/model/delivery.js";
import { eventsWorkflow } from "../../src/core/setup/events-workflow.js";

const PAGE = readFileSync(
  fileURLToPath(new URL(join("..", "..", "docs", "action.md"), import.meta.url)),
  "utf8",
);
const EXAMPLE = /```yaml\n(name: koryph events\n[\s\S]*?)```/.exec(PAGE)?.[1] ?? "";

interface EventsWorkflow {
  readonly on: Readonly<Record<string, { readonly types?: readonly string[] } | null>>;
  readonly permissions: object;
  readonly concurrency?: unknown;
  readonly jobs: {
    readonly events: {
      readonly "timeout-minutes": number;
      readonly permissions: Readonly<Record<string, string>>;
      readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[];
    };
  };
}
const workflow = parse(EXAMPLE) as EventsWorkflow;
const { on, jobs } = workflow;

/** What `app.ts` reacts to, as `event` and `event.action`. */
function reactions(): readonly string[] {
  const found: string[] = [];
  const app = { on: (names: string | string[]) => found.push(...[names].flat()) };
  registerReactions(app as never, {} as never);
  return found;
}

test("the workflow of docs/action.md is the one that koryph init writes", () => {
  const written = parse(
    eventsWorkflow({ project: "shop", action: "OWNER/koryph@COMMIT_SHA", checks: ["test"] }),
  ) as EventsWorkflow;
  const schedule = on.schedule;
  expect({ ...written, on: { ...written.on, schedule } }).toEqual(workflow);
});

test("it starts by what the Action takes, and by nothing else", () => {
  expect(Object.keys(on).toSorted()).toEqual(Object.keys(WORKFLOW_EVENTS).toSorted());
});

test("each of its events is one that the App reacts to, with each of its actions", () => {
  const known = reactions();
  for (const [name, delivered] of Object.entries(WORKFLOW_EVENTS)) {
    if (delivered === null) continue;
    expect(HANDLED_EVENTS).toContain(delivered);
    for (const type of on[name]?.types ?? []) expect(known).toContain(`${delivered}.${type}`);
  }
});

test("it hears of everything that the App does about comments and pull requests", () => {
  const heard = Object.entries(WORKFLOW_EVENTS).flatMap(([name, delivered]) =>
    (on[name]?.types ?? []).map((type) => `${delivered}.${type}`),
  );
  const wanted = reactions().filter((name) => /^(issue_comment|pull_request)\./.test(name));
  expect(wanted.filter((name) => !heard.includes(name))).toEqual([]);
});

test("nothing is checked out, no run is dropped, and nothing of an event gets into a script", () => {
  const { steps } = jobs.events;
  expect(steps.map(({ uses }) => uses)).toEqual(["OWNER/koryph@COMMIT_SHA"]);
  expect(workflow).not.toHaveProperty("concurrency");
  expect(jobs.events).not.toHaveProperty("concurrency");
  expect(steps.flatMap(({ run = [] }) => run)).toEqual([]);
  expect(Object.keys(steps[0]?.with ?? {}).filter((name) => !(name in ActionInputs.shape))).toEqual([]);
});

test("it grants what the handlers need to that job alone, for a bounded time", () => {
  expect(workflow.permissions).toEqual({});
  expect(jobs.events.permissions).toEqual({
    ...{ contents: "write", issues: "write", "pull-requests": "write", checks: "write" },
    ...{ actions: "read", statuses: "read" },
  });
  expect(jobs.events["timeout-minutes"]).toBeLessThanOrEqual(30);
});
