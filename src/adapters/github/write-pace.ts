export interface Pace {
  /** So many pass at once after a rest. */
  readonly burst: number;
  readonly perSecond: number;
}

export interface Paces {
  /** Of the App itself: it asks for deliveries again. */
  readonly app: Pace;
  /** Of each installation: comments. */
  readonly installation: Pace;
  /** Of each installation, besides: a comment that waits its turn must not keep back the sign that it was seen. */
  readonly reactions: Pace;
}

/** GitHub allows 80 pieces of content a minute, and 180 writes of any kind; who does more is locked out for a while. */
const ON_GITHUB: Paces = {
  app: { burst: 50, perSecond: 2 },
  installation: { burst: 5, perSecond: 1 },
  reactions: { burst: 30, perSecond: 1.5 },
};

/** A server of one's own has no such limits, unless its administrator sets some. */
const FREELY: Pace = { burst: 100, perSecond: 50 };
const ELSEWHERE: Paces = { app: FREELY, installation: FREELY, reactions: FREELY };

/** How fast may be written, by the API's address. */
export function pacesFor(apiUrl: string): Paces {
  return /(^|\.)(github\.com|ghe\.com)$/i.test(new URL(apiUrl).hostname) ? ON_GITHUB : ELSEWHERE;
}

/** Spaces writes as a bucket does that fills steadily. */
export class WritePace {
  readonly #pace: Pace;
  readonly #now: () => number;
  #tokens: number;
  #at: number;

  constructor(pace: Pace, now: () => number) {
    this.#pace = pace;
    this.#now = now;
    this.#tokens = pace.burst;
    this.#at = now();
  }

  /** Takes the next place; how many milliseconds it is away. Beyond `mostMs` no place is taken. */
  take(mostMs: number): { readonly taken: boolean; readonly waitMs: number } {
    const { burst, perSecond } = this.#pace;
    const now = this.#now();
    // A clock that was set back must not take places away.
    const passedMs = Math.max(0, now - this.#at);
    this.#tokens = Math.min(burst, this.#tokens + (passedMs / 1000) * perSecond);
    this.#at = now;
    const waitMs = Math.ceil((Math.max(0, 1 - this.#tokens) / perSecond) * 1000);
    if (waitMs > mostMs) return { taken: false, waitMs };
    this.#tokens -= 1;
    return { taken: true, waitMs };
  }
}
