import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { BatchEstimate } from "../../batches/estimate-batch.js";
import type { BatchReading } from "../../batches/read-batch-file.js";

export const batchAdvice = {
  noKey: (ambient: boolean): Advice => ({
    message: ambient
      ? "KORYPH_BATCH_API_KEY is not set, and ANTHROPIC_API_KEY is not used: a batch is paid for with a key of its own"
      : "KORYPH_BATCH_API_KEY is not set, and a batch is paid for with a key of its own",
    hint: "set KORYPH_BATCH_API_KEY to the key that pays for this batch",
  }),
  badBase: (value: string): Advice => ({
    message: `KORYPH_BATCH_BASE_URL is ${plainText(value)}, and it must begin with https://, or with http:// on this machine`,
    hint: "set it to your gateway's address, such as https://gateway.example.org, or leave it unset",
  }),
  unreadableFile: (path: string, why: string): Advice => ({
    message: `${plainText(path)} cannot be read: ${plainText(why)}`,
    hint: "name a file with one request on each line",
  }),
  wrongFile: (path: string, reading: Exclude<BatchReading, { kind: "requests" }>): Advice => {
    const place = plainText(path);
    const hint = `each line is {"custom_id": "…", "params": {"model": "…", "max_tokens": 1024, "messages": […]}}`;
    switch (reading.kind) {
      case "wrong":
        return { message: `${place}, line ${reading.line}: ${plainText(reading.problem)}`, hint };
      case "empty":
        return { message: `${place} holds no request`, hint };
      case "too-many":
        return {
          message: `${place} holds ${reading.count} requests, and a batch takes 100000`,
          hint: "split it into several files",
        };
    }
  },
  notConfirmed: (): Advice => ({
    message: "nothing was submitted",
    hint: "say y at the terminal, or confirm with --yes",
  }),
  refused: (why: string): Advice => ({
    message: `the Message Batches API refused: ${plainText(why)}`,
    hint: "401 and 403 are about KORYPH_BATCH_API_KEY, 404 about the batch or KORYPH_BATCH_BASE_URL, 400 and 413 about the file",
  }),
  notUnderstood: (baseUrl: string): Advice => ({
    message: `what ${plainText(baseUrl)} answered is none of the Message Batches API`,
    hint: "look at KORYPH_BATCH_BASE_URL",
  }),
  recordUnreadable: (path: string): Advice => ({
    message: `${plainText(path)} cannot be read, so whether these requests were submitted before is not known`,
    hint: "look for the batch in the provider's console and name it with --batch <id>; remove the file only when there is none",
  }),
  begun: (path: string): Advice => ({
    message: `another koryph submits these requests just now: ${plainText(path)} is there`,
    hint: "wait for it, and run the same command again to go on with its batch",
  }),
  otherRequests: (file: string, record: string): Advice => ({
    message: `${plainText(file)} has changed since it was submitted`,
    hint: `write its results elsewhere with --out <file>, or remove ${plainText(record)} when those of before are not wanted`,
  }),
  unsure: (file: string, record: string, candidates: readonly string[]): Advice => ({
    message: `${plainText(file)} was about to be submitted when koryph was cut short, and whether it was is not known${
      candidates.length === 0
        ? "; the service shows no batch from then with as many requests"
        : `; the service shows ${candidates.map(plainText).join(", ")} from then, with as many requests`
    }`,
    hint: `go on with a batch by --batch <id>, or remove ${plainText(record)} to submit it anew`,
  }),
  turnedAway: (why: string): Advice => ({
    message: `the Message Batches API takes nothing just now: ${plainText(why)}`,
    hint: "nothing was submitted; try again later",
  }),
  lost: (why: string, record: string): Advice => ({
    message: `whether the batch was taken is not known: ${plainText(why)}`,
    hint: `run the same command again: it looks for the batch, and submits nothing by itself as long as ${plainText(record)} is there`,
  }),
};

/** What is about to be bought. */
export function estimateLines({ requests, models }: BatchEstimate, baseUrl: string): string[] {
  const total = requests === 1 ? "1 request" : `${requests} requests`;
  return [
    `${total} to ${plainText(baseUrl)}, paid for with KORYPH_BATCH_API_KEY:`,
    ...models.map(
      (each) =>
        `  ${plainText(each.model)}: ${each.requests}, about ${each.inputTokens} tokens in, at most ${each.outputTokens} out`,
    ),
  ];
}

export const batchLines = {
  submitted: (id: string): string => `submitted as ${plainText(id)}; the same command goes on with it`,
  goesOn: (id: string): string => `goes on with ${plainText(id)}; nothing is submitted`,
  waiting: (why: string): string => `waiting: ${plainText(why)}`,
  progress: (done: number, requests: number): string => `${done} of ${requests} done`,
  ended: (succeeded: number, failed: number, out: string): string =>
    `${succeeded} succeeded, ${failed} failed; results in ${plainText(out)}`,
};
