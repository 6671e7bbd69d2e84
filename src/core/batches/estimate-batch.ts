import type { BatchRequest } from "./read-batch-file.js";

/** English has about four characters to a token; code and other languages have fewer. */
const CHARACTERS_PER_TOKEN = 4;

export interface BatchEstimate {
  readonly requests: number;
  /** By model, in the order of the file. */
  readonly models: readonly {
    readonly model: string;
    readonly requests: number;
    readonly inputTokens: number;
    /** What it may come to at most. */
    readonly outputTokens: number;
  }[];
}

/** What a batch asks for, as far as its text tells. No prices: they are the provider's to say. */
export function estimateBatch(requests: readonly BatchRequest[]): BatchEstimate {
  const models = new Map<string, { requests: number; inputTokens: number; outputTokens: number }>();
  for (const { params } of requests) {
    const { model, max_tokens, ...input } = params;
    const sum = models.get(model) ?? { requests: 0, inputTokens: 0, outputTokens: 0 };
    models.set(model, {
      requests: sum.requests + 1,
      inputTokens: sum.inputTokens + Math.ceil(JSON.stringify(input).length / CHARACTERS_PER_TOKEN),
      outputTokens: sum.outputTokens + max_tokens,
    });
  }
  return { requests: requests.length, models: [...models].map(([model, sum]) => ({ model, ...sum })) };
}
