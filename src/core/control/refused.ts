/** Why a command is not carried out: a stable code, and sentences in markdown. */
export interface Refused {
  readonly kind: "refuse";
  readonly code: string;
  readonly said: string;
  /** Empty when there is nothing to do about it. */
  readonly next: string;
}
