import { type Advice, UserError } from "../../../lib/user-error.js";

/**
 * | kind        | what it means for whoever asked                                                   |
 * |-------------|-----------------------------------------------------------------------------------|
 * | unreachable | the remote did not answer; recording goes on here, sharing and claiming do not    |
 * | refused     | the remote answered and did not take the push, though nobody else had moved it    |
 * | busy        | others appended first, again and again; worth another try later                   |
 * | rewound     | the remote lost events that were seen there: stop, a person has to look           |
 * | read-only   | the ledger holds what only another version of koryph understands                  |
 */
export type LedgerTrouble = "unreachable" | "refused" | "busy" | "rewound" | "read-only";

export class LedgerError extends UserError {
  readonly kind: LedgerTrouble;

  constructor(kind: LedgerTrouble, { message, hint }: Advice) {
    super(message, hint);
    this.name = "LedgerError";
    this.kind = kind;
  }
}
