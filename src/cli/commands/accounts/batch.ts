import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import { batchAccess } from "../../../adapters/batches/batch-access.js";
import { runBatch } from "../../../adapters/batches/batch-run.js";
import { MessageBatches } from "../../../adapters/batches/message-batches.js";
import { writeAtomically } from "../../../adapters/files/write-atomically.js";
import { estimateBatch } from "../../../core/batches/estimate-batch.js";
import { orderResults } from "../../../core/batches/order-results.js";
import { type BatchRequest, readBatchFile } from "../../../core/batches/read-batch-file.js";
import { batchAdvice, batchLines, estimateLines } from "../../../core/replies/batches/batch-words.js";
import { UserError } from "../../../lib/user-error.js";
import type { Surface } from "../../program.js";
import { EXIT_CODES } from "../../text/exit-codes.js";
import { askPerson } from "../../wiring/ask-person.js";

interface BatchFlags {
  readonly out?: string;
  readonly batch?: string;
  readonly yes?: true;
}

export function addBatch(batch: Command, { terminal, exit }: Surface): void {
  batch
    .command("run")
    .description("submit a file of requests, wait for their batch, and write the results in the same order")
    .argument("<file.jsonl>", "a request on each line: custom_id and params")
    .option("--out <file>", "where the results go, instead of <file.jsonl>.results.jsonl")
    .option("--batch <id>", "go on with this batch, which was submitted before", batchId)
    .option("--yes", "submit without asking")
    .action(async (file: string, { out = `${file}.results.jsonl`, batch: id, yes }: BatchFlags) => {
      const access = batchAccess(process.env);
      const requests = await readRequests(file);
      const results = await runBatch({
        ...{ batches: new MessageBatches(access), requests, file, record: `${out}.batch.json`, batch: id },
        confirm: async () => {
          for (const line of estimateLines(estimateBatch(requests), access.baseUrl)) terminal.err(line);
          return yes === true || askPerson("submit? [y/N] ");
        },
        say: terminal.err,
        now: () => new Date(),
        pause,
      });
      const { lines, succeeded, failed } = orderResults(requests, results);
      await writeAtomically(out, `${lines.join("\n")}\n`);
      terminal.out(batchLines.ended(succeeded, failed, out));
      exit(failed === 0 ? EXIT_CODES.ok : EXIT_CODES.failed);
    });
}

async function readRequests(file: string): Promise<readonly BatchRequest[]> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw UserError.of(batchAdvice.unreadableFile(file, error.message));
  });
  const reading = readBatchFile(text);
  if (reading.kind !== "requests") throw UserError.of(batchAdvice.wrongFile(file, reading));
  return reading.requests;
}

function batchId(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(text)) throw new InvalidArgumentError("It is no id of a batch.");
  return text;
}
