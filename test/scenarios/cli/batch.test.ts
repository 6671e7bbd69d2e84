import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { runCli } from "../../../src/cli/run-cli.js";
import { BatchService } from "../../support/cli/batch-service.js";
import { heardTerminal } from "../../support/cli/heard-terminal.js";
import { tempFolder } from "../../support/temp-folder.js";

const KEY = "batch-key-of-ann";
let folder = "";
let file = "";
let service: BatchService;

beforeEach(async () => {
  folder = tempFolder();
  file = join(folder, "asks.jsonl");
  service = await BatchService.open();
  vi.stubEnv("KORYPH_BATCH_API_KEY", KEY);
  vi.stubEnv("KORYPH_BATCH_BASE_URL", service.address);
  vi.stubEnv("ANTHROPIC_API_KEY", "ambient-key");
  ask("a", "b", "c");
  return () => vi.unstubAllEnvs();
});

function ask(...ids: string[]): void {
  const params = { model: "sonnet", max_tokens: 10, messages: [{ role: "user", content: "hi" }] };
  writeFileSync(file, ids.map((custom_id) => `${JSON.stringify({ custom_id, params })}\n`).join(""));
}

async function batch(...args: string[]) {
  const { terminal, said } = heardTerminal();
  const code = await runCli(["batch", "run", file, ...args], terminal);
  // Whatever happens, no key is shown or kept.
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect([said.out, said.err, ...kept].join("\n")).not.toMatch(/batch-key-of-ann|ambient-key/);
  return { code, ...said };
}

const results = () =>
  readFileSync(`${file}.results.jsonl`, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).custom_id);

test("requests are submitted once with the batch's own key, and their results come in the same order", async () => {
  const { code, out, err } = await batch("--yes");
  expect({ code, out }).toEqual({
    code: 0,
    out: `3 succeeded, 0 failed; results in ${file}.results.jsonl\n`,
  });
  expect(err).toContain(
    `3 requests to ${service.address}, paid for with KORYPH_BATCH_API_KEY:\n  sonnet: 3, about `,
  );
  expect(results()).toEqual(["a", "b", "c"]);
  expect(service.taken).toEqual([["a", "b", "c"]]);
  expect(new Set(service.asked.map(({ key }) => key))).toEqual(new Set([KEY]));
});

test("the same command again goes on with the batch that there is", async () => {
  await batch("--yes");
  rmSync(`${file}.results.jsonl`);
  const { code, err } = await batch();
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining("goes on with batch_0") });
  expect(results()).toEqual(["a", "b", "c"]);
  expect(service.submissions).toBe(1);
});

test("without a yes nothing is submitted, and nothing is kept", async () => {
  const { code, err } = await batch();
  expect(code).toBe(1);
  expect(err).toMatch(/sonnet: 3, about .*nothing was submitted/s);
  expect(service.asked).toEqual([]);
  expect(readdirSync(folder)).toEqual(["asks.jsonl"]);
});

test("a key that is around for others is not used", async () => {
  vi.stubEnv("KORYPH_BATCH_API_KEY", "");
  const { code, err } = await batch("--yes");
  expect(code).toBe(1);
  expect(err).toContain("KORYPH_BATCH_API_KEY is not set, and ANTHROPIC_API_KEY is not used");
  expect(service.asked).toEqual([]);
});

test.each([
  "http://gateway.example.org",
  "https://user:pass@gateway.example.org",
  "ftp://x",
  "http://127.0.0.1.evil.org",
])("the key is not sent to %s", async (address) => {
  vi.stubEnv("KORYPH_BATCH_BASE_URL", address);
  const { code, err } = await batch("--yes");
  expect(code).toBe(1);
  expect(err).toContain("KORYPH_BATCH_BASE_URL");
  expect(readdirSync(folder)).toEqual(["asks.jsonl"]);
});

test("an answer that is lost leads to no second submission: the batch is found, and named by the operator", async () => {
  service.cutsOff = true;
  const lost = await batch("--yes");
  expect(lost.code).toBe(1);
  expect(lost.err).toContain("whether the batch was taken is not known");
  service.cutsOff = false;
  const unsure = await batch("--yes");
  expect(unsure.code).toBe(1);
  expect(unsure.err).toContain("the service shows batch_0 from then, with as many requests");
  expect(service.submissions).toBe(1);
  expect((await batch("--batch", "batch_0")).code).toBe(0);
  expect(results()).toEqual(["a", "b", "c"]);
  expect(service.submissions).toBe(1);
});

test.each([400, 401, 429])(
  "what is refused with %d was not taken, and may be submitted again",
  async (status) => {
    const body = JSON.stringify({ error: { message: `no: ${KEY}` } });
    service.next.push({ status, body });
    const { code, err } = await batch("--yes");
    expect(code).toBe(1);
    expect(err).toContain(`${status} no: [redacted]`);
    expect(existsSync(`${file}.results.jsonl.batch.json`)).toBe(false);
    expect((await batch("--yes")).code).toBe(0);
  },
);

test("a server error leaves it open whether it was taken", async () => {
  service.next.push({ status: 503 });
  expect((await batch("--yes")).err).toContain("whether the batch was taken is not known: 503");
  expect((await batch("--yes")).err).toContain("shows no batch from then");
  expect(service.taken).toEqual([]);
});

test("a redirect is not followed: the key stays where it was meant for", async () => {
  const other = await BatchService.open();
  service.next.push({ status: 307, headers: { location: `${other.address}/v1/messages/batches` } });
  expect((await batch("--yes")).code).toBe(1);
  expect(other.asked).toEqual([]);
});

test("a file that changed after it was submitted is no longer that batch", async () => {
  await batch("--yes");
  ask("a", "b");
  const { code, err } = await batch("--yes");
  expect(code).toBe(1);
  expect(err).toContain("has changed since it was submitted");
  expect(service.submissions).toBe(1);
});

test("requests without a good result make it a failure, and say so in their lines", async () => {
  await batch("--yes");
  service.taken[0] = ["a", "c"];
  const { code, out } = await batch();
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining("2 succeeded, 1 failed") });
  expect(results()).toEqual(["a", "b", "c"]);
});

test("a file that is none is refused by its line, and nothing is asked", async () => {
  writeFileSync(file, "{}\n");
  const { code, err } = await batch("--yes");
  expect(code).toBe(1);
  expect(err).toContain(`${file}, line 1: custom_id`);
  expect(service.asked).toEqual([]);
});
