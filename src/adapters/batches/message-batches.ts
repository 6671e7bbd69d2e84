import { z } from "zod";
import { PLAINLY } from "../../core/model/plainly.js";
import { redactText } from "../../core/redact.js";
import { batchAdvice } from "../../core/replies/batches/batch-words.js";
import { cutText } from "../../lib/cut-text.js";
import { UserError } from "../../lib/user-error.js";

const Batch = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  processing_status: z.string(),
  created_at: z.string(),
  request_counts: z.object({
    processing: z.int(),
    succeeded: z.int(),
    errored: z.int(),
    canceled: z.int(),
    expired: z.int(),
  }),
});
export type MessageBatch = z.infer<typeof Batch>;

const Batches = z.object({ data: z.array(Batch) });

/** How long one request may take; results of a large batch are hundreds of megabytes. */
const ANSWER_MS = 600_000;
const LONGEST_REASON = 300;

/** What may pass by itself: it is asked again. */
export class BatchUnavailable extends Error {
  /** How long the service asks to be left alone; null where it does not say. */
  readonly waitSeconds: number | null;
  /** The service turned the request away before it looked at it. */
  readonly turnedAway: boolean;

  constructor(message: string, { waitSeconds = null, turnedAway = false }: Partial<Refusal> = {}) {
    super(message);
    this.waitSeconds = waitSeconds;
    this.turnedAway = turnedAway;
  }
}

type Refusal = Pick<BatchUnavailable, "waitSeconds" | "turnedAway">;

/** The service looked at a request and did nothing of it. */
export class BatchRefused extends UserError {}

export interface BatchAccess {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
}

/** The Message Batches API. The key goes to `baseUrl` alone: redirects and addresses that an answer names are not followed. */
export class MessageBatches {
  readonly #access: BatchAccess;

  constructor(access: BatchAccess) {
    this.#access = access;
  }

  /** Asks once and no more: a request whose answer is lost may have been taken. */
  async create(body: string): Promise<MessageBatch> {
    return this.#read(Batch, await this.#ask("", { method: "POST", body }));
  }

  async get(id: string): Promise<MessageBatch> {
    return this.#read(Batch, await this.#ask(`/${id}`));
  }

  /** Newest first, the last hundred. */
  async newest(): Promise<readonly MessageBatch[]> {
    return this.#read(Batches, await this.#ask("?limit=100")).data;
  }

  async results(id: string): Promise<string> {
    return this.#ask(`/${id}/results`);
  }

  async #ask(path: string, init: { method?: string; body?: string } = {}): Promise<string> {
    const { baseUrl, key } = this.#access;
    const headers = {
      "x-api-key": key,
      "anthropic-version": "2023-06-01",
      ...(init.body !== undefined && { "content-type": "application/json" }),
    };
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      response = await fetch(`${baseUrl}/v1/messages/batches${path}`, {
        ...init,
        headers,
        signal,
        redirect: "error",
      });
      text = await response.text();
    } catch (error) {
      const { cause, message } = error as Error;
      throw new BatchUnavailable(this.#shown(cause instanceof Error ? cause.message : message));
    }
    if (response.ok) return text;
    const why = `${response.status} ${this.#shown(messageIn(text))}`.trim();
    const turnedAway = response.status === 429;
    if (turnedAway || response.status >= 500)
      throw new BatchUnavailable(why, { waitSeconds: secondsIn(response.headers), turnedAway });
    const { message, hint } = batchAdvice.refused(why);
    throw new BatchRefused(message, hint);
  }

  #read<T>(schema: z.ZodType<T>, text: string): T {
    try {
      return schema.parse(JSON.parse(text), PLAINLY);
    } catch {
      throw UserError.of(batchAdvice.notUnderstood(this.#access.baseUrl));
    }
  }

  /** What others say may repeat what they were sent. */
  #shown(text: string): string {
    return cutText(redactText(text.replaceAll(this.#access.key, "[redacted]")), LONGEST_REASON);
  }
}

/** Null where it is a date, or nothing; nobody waits for more than an hour. */
function secondsIn(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(text) ? Math.min(Number(text), 3600) : null;
}

function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    return typeof error?.message === "string" ? error.message : "";
  } catch {
    return "";
  }
}
