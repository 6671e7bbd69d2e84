import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import type { BatchRequest } from "../../core/batches/read-batch-file.js";
import { batchAdvice, batchLines } from "../../core/replies/batches/batch-words.js";
import { backoff } from "../../lib/backoff.js";
import { UserError } from "../../lib/user-error.js";
import { beginBatchRecord, readBatchRecord, writeBatchRecord } from "./batch-record.js";
import { BatchRefused, BatchUnavailable, type MessageBatch, type MessageBatches } from "./message-batches.js";

export interface BatchRunFacts {
  readonly batches: MessageBatches;
  readonly requests: readonly BatchRequest[];
  /** As the operator named it. */
  readonly file: string;
  /** Where it is kept what was submitted. */
  readonly record: string;
  /** The operator knows which batch it is. */
  readonly batch?: string | undefined;
  /** Asked before anything is submitted. */
  readonly confirm: () => Promise<boolean>;
  readonly say: (line: string) => void;
  readonly now: () => Date;
  readonly pause: (ms: number) => Promise<unknown>;
}

const POLL_SECONDS = { first: 2, longest: 60 };

/** The clocks of two machines, and what a lost answer takes. */
const SUBMIT_SLACK_MS = 10 * 60_000;

/** Submits the requests, unless they were before, and waits for their batch to end. Returns its results as they come. */
export async function runBatch(facts: BatchRunFacts): Promise<string> {
  const id = await submitted(facts);
  await ended(facts, id);
  return patiently(facts, () => facts.batches.results(id));
}

async function submitted(facts: BatchRunFacts): Promise<string> {
  const { requests, file, record, batch, batches, say } = facts;
  const body = JSON.stringify({ requests });
  const digest = createHash("sha256").update(body).digest("hex");
  const before = await readBatchRecord(record);
  if (before !== null && before.digest !== digest)
    throw UserError.of(batchAdvice.otherRequests(file, record));
  const began_at = before?.began_at ?? facts.now().toISOString();
  const kept = { digest, requests: requests.length, began_at };
  const known = batch ?? before?.batch ?? null;
  if (known !== null) {
    await writeBatchRecord(record, { ...kept, batch: known });
    say(batchLines.goesOn(known));
    return known;
  }
  if (before !== null) {
    const candidates = await patiently(facts, () => batches.newest());
    const ids = candidates.filter((each) => mayBe(each, kept)).map(({ id }) => id);
    throw UserError.of(batchAdvice.unsure(file, record, ids));
  }
  if (!(await facts.confirm())) throw UserError.of(batchAdvice.notConfirmed());
  await beginBatchRecord(record, { ...kept, batch: null });
  const { id } = await createOnce(facts, body);
  await writeBatchRecord(record, { ...kept, batch: id });
  say(batchLines.submitted(id));
  return id;
}

/** What was refused was not taken, and may be tried again; what got no answer may have been. */
async function createOnce({ batches, record }: BatchRunFacts, body: string): Promise<MessageBatch> {
  try {
    return await batches.create(body);
  } catch (error) {
    if (error instanceof BatchUnavailable && !error.turnedAway)
      throw UserError.of(batchAdvice.lost(error.message, record));
    if (!(error instanceof BatchRefused || error instanceof BatchUnavailable)) throw error;
    await rm(record, { force: true });
    throw error instanceof BatchRefused ? error : UserError.of(batchAdvice.turnedAway(error.message));
  }
}

function mayBe(batch: MessageBatch, { began_at, requests }: { began_at: string; requests: number }): boolean {
  const counted = Object.values(batch.request_counts).reduce((sum, count) => sum + count, 0);
  return counted === requests && Date.parse(batch.created_at) >= Date.parse(began_at) - SUBMIT_SLACK_MS;
}

async function ended(facts: BatchRunFacts, id: string): Promise<void> {
  let told = "";
  for (let look = 0; ; look += 1) {
    const { processing_status, request_counts } = await patiently(facts, () => facts.batches.get(id));
    if (processing_status === "ended") return;
    const { processing, ...done } = request_counts;
    const count = Object.values(done).reduce((sum, each) => sum + each, 0);
    const line = batchLines.progress(count, count + processing);
    if (line !== told) facts.say(line);
    told = line;
    await facts.pause(backoff(POLL_SECONDS, look) * 1000);
  }
}

/** Again and again while the service is away: the batch goes on without us, and its results are kept for weeks. */
async function patiently<T>(facts: BatchRunFacts, ask: () => Promise<T>): Promise<T> {
  for (let look = 0; ; look += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof BatchUnavailable)) throw error;
      facts.say(batchLines.waiting(error.message));
      await facts.pause((error.waitSeconds ?? backoff(POLL_SECONDS, look)) * 1000);
    }
  }
}
