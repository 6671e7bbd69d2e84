import { describe, expect, test } from "vitest";
import { isHandled, placeDelivery, readGuid } from "../../../src/core/model/delivery.js";

const repository = { full_name: "Octo/Repo" };

test.each<{ name: string; payload: Record<string, unknown>; key: string }>([
  {
    name: "a comment on an issue belongs to its thread",
    payload: { repository, issue: { number: 7 } },
    key: "octo/repo#7",
  },
  {
    name: "a review belongs to the thread of its pull request",
    payload: { repository, pull_request: { number: 8 }, installation: { id: 3 } },
    key: "octo/repo#8",
  },
  {
    name: "what has no thread belongs to its repository",
    payload: { repository, installation: { id: 3 } },
    key: "octo/repo",
  },
  {
    name: "what has no repository belongs to its installation",
    payload: { installation: { id: 3 } },
    key: "installation:3",
  },
  { name: "an empty payload has a key, too", payload: {}, key: "installation:none" },
  {
    name: "a field of another kind counts as absent",
    payload: { repository, issue: { number: "7" }, pull_request: [], installation: 4 },
    key: "octo/repo",
  },
])("$name", ({ payload, key }) => expect(placeDelivery(payload)).toEqual({ lane: "intake", key }));

test.each<{ event: string; handled: boolean }>([
  { event: "issue_comment", handled: true },
  { event: "pull_request_review", handled: true },
  { event: "pull_request_review_comment", handled: true },
  { event: "star", handled: false },
  { event: "constructor", handled: false },
])("$event is handled: $handled", ({ event, handled }) => expect(isHandled(event)).toBe(handled));

describe("a delivery's name", () => {
  test("is kept in small letters, so that it is known again", () => {
    expect(readGuid("72D3162E-CC78-11E3-81AB-4C9367DC0958")).toBe("72d3162e-cc78-11e3-81ab-4c9367dc0958");
  });

  test.each(["", "1", "72d3162ecc7811e381ab4c9367dc0958", "72d3162e-cc78-11e3-81ab-4c9367dc0958 "])(
    "is not %j",
    (header) => expect(readGuid(header)).toBeNull(),
  );
});
