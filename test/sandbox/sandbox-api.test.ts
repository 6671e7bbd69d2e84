import { expect, test } from "vitest";
import { apiDescription } from "../../src/sandbox/http/api-description.js";
import { checkRequest, checkResponse } from "../../src/sandbox/http/check-api.js";
import { longTest } from "../support/long.js";

test.each<{ name: string; operation: string; query?: string; body?: unknown; problems: string[] }>([
  { name: "a comment fits", operation: "issues/create-comment", body: { body: "hello" }, problems: [] },
  {
    name: "a comment without its text does not",
    operation: "issues/create-comment",
    body: {},
    problems: ["body must have required property 'body'"],
  },
  {
    name: "a field that GitHub would ignore is noticed",
    operation: "issues/create-comment",
    body: { body: "hello", text: "hello" },
    problems: ["body.text is not known"],
  },
  {
    name: "so is one inside another",
    operation: "checks/create",
    body: { name: "gate", head_sha: "a".repeat(40), output: { title: "t", summary: "s", titel: "t" } },
    problems: ["body.output.titel is not known"],
  },
  {
    name: "a value of the wrong kind is named with its place",
    operation: "pulls/create-review",
    body: { event: "COMMENT", comments: [{ path: "a.ts", body: 7 }] },
    problems: ["body.comments[0].body must be string"],
  },
  {
    name: "a reaction is one of eight",
    operation: "reactions/create-for-issue-comment",
    body: { content: "thumbs" },
    problems: [
      "body.content must be equal to one of the allowed values +1, -1, laugh, confused, heart, hooray, rocket, eyes",
    ],
  },
  { name: "labels are names", operation: "issues/add-labels", body: { labels: ["bug"] }, problems: [] },
  {
    name: "a dispatch has inputs of any name",
    operation: "actions/create-workflow-dispatch",
    body: { ref: "main", inputs: { anything: "1" } },
    problems: [],
  },
  {
    name: "a body that need not be sent may be absent",
    operation: "apps/create-installation-access-token",
    problems: [],
  },
  {
    name: "an operation without a body takes none",
    operation: "checks/rerequest-run",
    body: { now: true },
    problems: ["checks/rerequest-run takes no body"],
  },
  {
    name: "a page is a number in text",
    operation: "issues/list-comments",
    query: "per_page=100&page=2&since=2026-01-01T00:00:00Z",
    problems: [],
  },
  {
    name: "a page that is no number is told",
    operation: "issues/list-comments",
    query: "page=two",
    problems: ["query.page must be integer"],
  },
  {
    name: "a query that is not known is told",
    operation: "issues/list-comments",
    query: "per-page=100",
    problems: ["query.per-page is not known"],
  },
  {
    name: "an operation that is not known is told",
    operation: "issues/shout",
    problems: ["issues/shout is not an operation in share/github-openapi.json"],
  },
])("request: $name", ({ operation, query, body, problems }) => {
  expect(checkRequest(operation, { query: new URLSearchParams(query), body })).toEqual(problems);
});

test.each<{ name: string; operation: string; status: number; body?: unknown; problems: string[] }>([
  { name: "a deletion has no body", operation: "issues/delete-comment", status: 204, problems: [] },
  {
    name: "one with a body is told",
    operation: "issues/delete-comment",
    status: 204,
    body: {},
    problems: ["issues/delete-comment has no body when it answers 204"],
  },
  {
    name: "a missing body is told",
    operation: "issues/get-label",
    status: 200,
    problems: ["issues/get-label has a body when it answers 200"],
  },
  {
    name: "a missing field is told",
    operation: "issues/get-label",
    status: 200,
    body: { id: 1, node_id: "x", url: "http://127.0.0.1/l", name: "bug", description: null, default: false },
    problems: ["body must have required property 'color'"],
  },
  {
    name: "any operation may refuse with a message",
    operation: "issues/get-label",
    status: 403,
    body: { message: "no" },
    problems: [],
  },
  {
    name: "a refusal without one is told",
    operation: "issues/get-label",
    status: 401,
    body: {},
    problems: ["an answer of 401 has a message in its body"],
  },
  {
    name: "a success of another number is told",
    operation: "issues/get-label",
    status: 201,
    body: {},
    problems: ["issues/get-label does not answer 201"],
  },
  { name: "nothing new has no body", operation: "repos/get-branch", status: 304, problems: [] },
])("answer: $name", ({ operation, status, body, problems }) => {
  expect(checkResponse(operation, status, body)).toEqual(problems);
});

test("a long list of problems is cut short", () => {
  expect(checkResponse("issues/get", 200, {}).at(-1)).toMatch(/^and \d+ more$/);
});

longTest("every schema of the extract can be compiled", () => {
  const operations = Object.values(apiDescription().paths).flatMap((methods) => Object.values(methods));
  expect(operations.length).toBeGreaterThan(80);
  for (const { operationId, responses } of operations) {
    expect(() => checkRequest(operationId, { body: { nothing: 1 } })).not.toThrow();
    for (const status of Object.keys(responses)) {
      expect(() => checkResponse(operationId, Number(status), {})).not.toThrow();
    }
  }
});
