/** What keeps the operator's checkout from taking a landing, where it is what lands. */
export interface CheckoutObstacle {
  /** What it is, and what to do about it. */
  readonly why: string;
  /** It stands where these very commits put something, so that other work could land. */
  readonly ofThisWork: boolean;
}
