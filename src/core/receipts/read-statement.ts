import { canonicalJson } from "./canonical-json.js";
import type { ReceiptFinding } from "./receipt-finding.js";
import { PREDICATE_TYPE, ReceiptStatement } from "./statement.js";

export type StatementReading =
  | { readonly kind: "read"; readonly statement: ReceiptStatement }
  | { readonly kind: "unreadable"; readonly finding: ReceiptFinding };

/** A receipt's payload, null where its commit has none. Whoever can push can write anything there. */
export function readStatement(payload: string | null): StatementReading {
  if (payload === null) return unreadable({ code: "no-statement" });
  let json: unknown;
  try {
    json = JSON.parse(payload);
  } catch {
    return unreadable({ code: "malformed", problem: "not JSON" });
  }
  const found = formatOf(json);
  if (found !== null && found !== PREDICATE_TYPE) return unreadable({ code: "unknown-format", found });
  const parsed = ReceiptStatement.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return unreadable({ code: "malformed", problem: `${issue?.path.join(".")}: ${issue?.message}` });
  }
  // A member that is there twice reads differently to different readers.
  if (canonicalJson(json) !== payload) return unreadable({ code: "malformed", problem: "not canonical" });
  return { kind: "read", statement: parsed.data };
}

function formatOf(json: unknown): string | null {
  const type =
    typeof json === "object" && json !== null ? (json as { predicateType?: unknown }).predicateType : null;
  return typeof type === "string" ? type : null;
}

function unreadable(finding: ReceiptFinding): StatementReading {
  return { kind: "unreadable", finding };
}
