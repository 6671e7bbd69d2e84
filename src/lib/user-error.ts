/** What went wrong and what to do next, both for the operator. */
export interface Advice {
  readonly message: string;
  readonly hint: string;
}

/** Something the operator can put right. Surfaces print message and hint, never a stack. */
export class UserError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "UserError";
    this.hint = hint;
  }

  static of(advice: Advice): UserError {
    return new UserError(advice.message, advice.hint);
  }
}
