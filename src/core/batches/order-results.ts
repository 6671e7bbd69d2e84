import { z } from "zod";
import { PLAINLY } from "../model/plainly.js";
import type { BatchRequest } from "./read-batch-file.js";

const BatchResult = z.object({ custom_id: z.string(), result: z.looseObject({ type: z.string() }) });

export interface OrderedResults {
  /** A line for each request, in the order of the requests. */
  readonly lines: readonly string[];
  readonly succeeded: number;
  /** Errored, expired, cancelled, or without any result. */
  readonly failed: number;
}

/** Results as the API gives them, in any order, brought into that of the requests. A request without one says so. */
export function orderResults(
  requests: readonly Pick<BatchRequest, "custom_id">[],
  text: string,
): OrderedResults {
  const results = new Map<string, z.infer<typeof BatchResult>>();
  for (const line of text.split("\n")) {
    const result = readResult(line);
    if (result !== null) results.set(result.custom_id, result);
  }
  const ordered = requests.map(
    ({ custom_id }) => results.get(custom_id) ?? { custom_id, result: { type: "missing" } },
  );
  const succeeded = ordered.filter(({ result }) => result.type === "succeeded").length;
  return {
    lines: ordered.map((each) => JSON.stringify(each)),
    succeeded,
    failed: ordered.length - succeeded,
  };
}

function readResult(line: string): z.infer<typeof BatchResult> | null {
  if (line.trim() === "") return null;
  try {
    return BatchResult.safeParse(JSON.parse(line), PLAINLY).data ?? null;
  } catch {
    return null;
  }
}
