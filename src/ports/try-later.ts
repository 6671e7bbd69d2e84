/** Whoever was asked wants to be left alone until then: a rate limit, most often. It is no failure of the job. */
export class TryLater extends Error {
  /** Milliseconds since 1970. */
  readonly notBefore: number;

  constructor(message: string, notBefore: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "TryLater";
    this.notBefore = notBefore;
  }
}

/** Trying again cannot help: the job itself is wrong. */
export class Hopeless extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Hopeless";
  }
}
