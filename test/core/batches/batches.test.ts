import { describe, expect, test } from "vitest";
import { estimateBatch } from "../../../src/core/batches/estimate-batch.js";
import { orderResults } from "../../../src/core/batches/order-results.js";
import { readBatchFile } from "../../../src/core/batches/read-batch-file.js";

const request = (custom_id: string, params: object = {}) => ({
  custom_id,
  params: { model: "sonnet", max_tokens: 100, messages: [{ role: "user", content: "hi" }], ...params },
});
const file = (...requests: object[]) => requests.map((each) => `${JSON.stringify(each)}\n`).join("");

describe("a file of requests", () => {
  test("is read in its order, with parameters of any name; empty lines count for nothing", () => {
    const [first, second] = [request("a", { system: "be brief" }), request("b")];
    expect(readBatchFile(`\uFEFF${file(first)}\n  \n${file(second)}`)).toEqual({
      kind: "requests",
      requests: [first, second],
    });
  });

  test.each<{ name: string; text: string; reading: object }>([
    { name: "nothing", text: "\n\n", reading: { kind: "empty" } },
    {
      name: "no JSON",
      text: `${file(request("a"))}{`,
      reading: { kind: "wrong", line: 2, problem: "it is not JSON" },
    },
    {
      name: "an id that the API refuses",
      text: file(request("a b")),
      reading: { kind: "wrong", line: 1, problem: "custom_id: 1 to 64 letters, digits, _ or -" },
    },
    {
      name: "an id that was there",
      text: `${file(request("a"))}\n${file(request("a"))}`,
      reading: { kind: "wrong", line: 3, problem: "custom_id: the same as on line 1" },
    },
    {
      name: "no model",
      text: file(request("a", { model: undefined })),
      reading: { kind: "wrong", line: 1, problem: "params.model: the name of a model" },
    },
    {
      name: "no messages",
      text: file(request("a", { messages: [] })),
      reading: { kind: "wrong", line: 1, problem: "params.messages: at least one message" },
    },
    {
      name: "a key beside the request",
      text: file({ ...request("a"), api_key: "k" }),
      reading: { kind: "wrong", line: 1 },
    },
  ])("with $name is refused by its line", ({ text, reading }) => {
    expect(readBatchFile(text)).toMatchObject(reading);
  });

  test("takes as many as the API does", () => {
    const text = Array.from({ length: 100_001 }, (_, index) => JSON.stringify(request(`r${index}`))).join(
      "\n",
    );
    expect(readBatchFile(text)).toEqual({ kind: "too-many", count: 100_001 });
  });
});

test("an estimate is a sum by model: what goes in by its length, what comes out at most", () => {
  const requests = readBatchFile(
    file(request("a"), request("b", { model: "opus", max_tokens: 7 }), request("c", { max_tokens: 50 })),
  );
  if (requests.kind !== "requests") throw new Error(requests.kind);
  const input = Math.ceil(`{"messages":[{"role":"user","content":"hi"}]}`.length / 4);
  expect(estimateBatch(requests.requests)).toEqual({
    requests: 3,
    models: [
      { model: "sonnet", requests: 2, inputTokens: 2 * input, outputTokens: 150 },
      { model: "opus", requests: 1, inputTokens: input, outputTokens: 7 },
    ],
  });
});

describe("results", () => {
  const result = (custom_id: string, type: string) => ({ custom_id, result: { type } });
  const order = ["a", "b", "c"].map((custom_id) => ({ custom_id }));

  test("come in the order of the requests, whole, and are counted", () => {
    const text = file(result("c", "errored"), result("a", "succeeded"), result("b", "succeeded"));
    const { lines, ...counts } = orderResults(order, text);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      result("a", "succeeded"),
      result("b", "succeeded"),
      result("c", "errored"),
    ]);
    expect(counts).toEqual({ succeeded: 2, failed: 1 });
  });

  test("that are missing or cut off are told as missing, and strangers are left out", () => {
    const { lines, failed } = orderResults(
      order,
      `${file(result("a", "succeeded"), result("x", "succeeded"))}{"cust`,
    );
    expect(lines.map((line) => JSON.parse(line).result.type)).toEqual(["succeeded", "missing", "missing"]);
    expect(failed).toBe(2);
  });
});
