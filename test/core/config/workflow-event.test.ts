import { expect, test } from "vitest";
import { readWorkflowEvent } from "../../../src/core/config/workflow-event.js";

const repository = { id: 1, full_name: "Team/Shop" };
const comment = (body: string, action = "created") => ({ action, repository, comment: { body } });

test.each([
  { name: "a command", event: "issue_comment", payload: comment("/koryph status"), kind: "delivery" },
  {
    name: "people who talk",
    event: "issue_comment",
    payload: comment("what about /koryph?"),
    kind: "nothing",
  },
  {
    name: "an edited command",
    event: "issue_comment",
    payload: comment("/koryph status", "edited"),
    kind: "nothing",
  },
  {
    name: "a pull request",
    event: "pull_request_target",
    payload: { action: "closed", repository },
    kind: "delivery",
  },
  { name: "the clock", event: "schedule", payload: { schedule: "7 * * * *" }, kind: "sweep" },
  { name: "somebody's hand", event: "workflow_dispatch", payload: {}, kind: "sweep" },
  {
    name: "another repository's",
    event: "issue_comment",
    payload: { ...comment("/koryph status"), repository: { id: 2, full_name: "other/shop" } },
    kind: "wrong",
  },
  {
    name: "what runs a pull request's files",
    event: "pull_request",
    payload: { action: "closed", repository },
    kind: "wrong",
  },
  { name: "the name of an object's own member", event: "toString", payload: {}, kind: "wrong" },
  { name: "null", event: "workflow_run", payload: null, kind: "wrong" },
  { name: "a list", event: "schedule", payload: [], kind: "wrong" },
  { name: "no action", event: "workflow_run", payload: { repository }, kind: "wrong" },
])("$name", ({ event, payload, kind }) => {
  expect(readWorkflowEvent(event, JSON.stringify(payload), "team/shop").kind).toBe(kind);
});

test("a pull request's news are called as a server hears of them", () => {
  const text = JSON.stringify({ action: "closed", repository });
  expect(readWorkflowEvent("pull_request_target", text, "team/shop")).toMatchObject({ name: "pull_request" });
});
