import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BatchRunFacts, runBatch } from "../../../src/adapters/batches/batch-run.js";
import { MessageBatches } from "../../../src/adapters/batches/message-batches.js";
import { BatchService } from "../../support/cli/batch-service.js";
import { tempFolder } from "../../support/temp-folder.js";

async function world() {
  const service = await BatchService.open();
  const folder = tempFolder();
  const waits: number[] = [];
  const said: string[] = [];
  const facts: BatchRunFacts = {
    batches: new MessageBatches({ baseUrl: service.address, key: "k" }),
    requests: [{ custom_id: "a", params: { model: "m", max_tokens: 1, messages: [{}] } }],
    file: "asks.jsonl",
    record: join(folder, "record.json"),
    confirm: async () => true,
    say: (line) => said.push(line),
    now: () => new Date(),
    pause: async (ms) => waits.push(ms),
  };
  return { service, folder, waits, said, facts };
}

test("a batch is looked at ever more rarely until it has ended", async () => {
  const { service, waits, said, facts } = await world();
  service.looks = 8;
  expect(await runBatch(facts)).toContain(`"custom_id":"a"`);
  expect(waits.map((ms) => ms / 1000)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  expect(said).toEqual(["submitted as batch_0; the same command goes on with it", "0 of 1 done"]);
});

test("a service that is away is waited for, for as long as it asks", async () => {
  const { service, waits, facts } = await world();
  await runBatch(facts);
  service.next.push({ status: 503 }, { status: 429, headers: { "retry-after": "17" } }, { status: 500 });
  await runBatch(facts);
  expect(waits.map((ms) => ms / 1000)).toEqual([2, 17, 8]);
  expect(service.submissions).toBe(1);
});

test("two koryphs at once submit once", async () => {
  const { service, facts } = await world();
  let asked = 0;
  let open = () => {};
  const bothAsked = new Promise<void>((resolve) => {
    open = resolve;
  });
  const confirm = async () => {
    asked += 1;
    if (asked === 2) open();
    await bothAsked;
    return true;
  };
  const both = await Promise.allSettled([1, 2].map(() => runBatch({ ...facts, confirm })));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(service.submissions).toBe(1);
});

test("a record that cannot be read keeps everything from being submitted", async () => {
  const { service, folder, facts } = await world();
  writeFileSync(facts.record, "{");
  await expect(runBatch(facts)).rejects.toThrow("whether these requests were submitted before is not known");
  expect(service.asked).toEqual([]);
  expect(readdirSync(folder)).toEqual(["record.json"]);
});

test("a key that no header can hold is not shown", async () => {
  const { service, facts } = await world();
  const batches = new MessageBatches({ baseUrl: service.address, key: "secret\nhidden" });
  const error = await runBatch({ ...facts, batches }).catch((caught: Error) => caught);
  expect(`${error}`).not.toMatch(/secret|hidden/);
});
