/** What goes wrong with a request. */
export type FaultKind =
  /** Answered so, and nothing done. */
  | {
      readonly status: number;
      readonly message?: string;
      readonly secondary?: boolean;
      readonly retryAfterSeconds?: number;
    }
  /** Done late. */
  | { readonly delayMs: number }
  /** Done, and the answer says that it was not, or the connection ends or stays open without one. */
  | { readonly applyThen: number | "cut" | "hang" }
  /** The connection ends before anything is done. */
  | { readonly cut: true };

export interface RequestFault {
  /**
   * An operation id of GitHub, `graphql`, or what git asks for: `git-info-refs` before everything else,
   * `git-upload-pack` for what it fetches, `git-receive-pack` for what it pushes, `git` for any of these; `*` for all.
   */
  readonly operation: string;
  readonly times: number;
  readonly kind: FaultKind;
}

/**
 * `lost`: neither sent nor listed. `failed`: listed as answered with 502, and never sent. `doubled`: sent twice.
 * `shuffled`: the next `times` deliveries are sent in reverse order.
 */
type WebhookMishap = "lost" | "failed" | "doubled" | "shuffled";

interface WebhookFault {
  readonly webhooks: WebhookMishap;
  /** Only those of this kind: `pull_request`, or `pull_request.closed`. */
  readonly event?: string;
  /** Only those of what this login did. */
  readonly by?: string;
  readonly times: number;
}

export type Fault = RequestFault | WebhookFault;

export interface Faults {
  add(fault: Fault): void;
  /**
   * What the next such request meets; null when it meets nothing. Counts as one of its times. Only what changes
   * something can be applied and then denied.
   */
  meet(operation: string, does: "reads" | "changes"): FaultKind | null;
  meetWebhook(news: {
    readonly event: string;
    readonly action: string | null;
    readonly sender: string;
  }): WebhookMishap | null;
  /** Those still to come. */
  list(): readonly Fault[];
  clear(): void;
}

export function makeFaults(): Faults {
  let left: Fault[] = [];
  const take = <T extends Fault>(found: T | undefined): T | null => {
    if (found === undefined) return null;
    const { times } = found;
    left = left.flatMap((each) =>
      each !== found ? [each] : times > 1 ? [{ ...each, times: times - 1 }] : [],
    );
    return found;
  };
  return {
    add: (fault) => {
      left.push(fault);
    },
    meet: (operation, does) => {
      const fitting = left.filter(isRequestFault).filter((fault) => fits(fault, operation));
      return take(fitting.find(({ kind }) => does === "changes" || !("applyThen" in kind)))?.kind ?? null;
    },
    meetWebhook: ({ event, action, sender }) => {
      const names = [undefined, event, `${event}.${action}`];
      const meets = (fault: WebhookFault) =>
        names.includes(fault.event) && [undefined, sender].includes(fault.by);
      return take(left.filter(isWebhookFault).find(meets))?.webhooks ?? null;
    },
    list: () => left,
    clear: () => {
      left = [];
    },
  };
}

function isRequestFault(fault: Fault): fault is RequestFault {
  return "operation" in fault;
}

function isWebhookFault(fault: Fault): fault is WebhookFault {
  return "webhooks" in fault;
}

function fits({ operation: wanted }: RequestFault, operation: string): boolean {
  return wanted === "*" || wanted === operation || (wanted === "git" && operation.startsWith("git-"));
}
