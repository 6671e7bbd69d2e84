/** What a person wants to be landed, and how. */
export interface LandWish {
  readonly bead: string;
  readonly method: "ff" | "squash";
  readonly allowProtected: boolean;
  readonly allowSecrets?: boolean;
  /** Whether the method was asked for, and is not just the project's. */
  readonly methodAsked: boolean;
  readonly signingRequired: boolean;
}

type Asked = Pick<LandWish, "method" | "allowProtected"> & { readonly kind?: string };

export interface RequestFacts<Landing extends Asked> {
  /** Undefined when no run has taken the bead. */
  readonly slot:
    | {
        readonly status: string;
        readonly landed: string | null;
        readonly pull?: { readonly url: string } | null;
      }
    | undefined;
  readonly hold: { readonly actor: string; readonly reason: string } | undefined;
  /** The bead's place in the queue; null when it has none. */
  readonly open: Landing | null;
  /** No agent has to do with it any more. */
  readonly isIdle: boolean;
}

/** Why a bead is not put into the queue. */
export type RequestRefusal =
  | { readonly kind: "squash_signed" }
  | { readonly kind: "no_slot" }
  | { readonly kind: "held"; readonly actor: string; readonly reason: string }
  | ({ readonly kind: "under_way" } & Pick<LandWish, "method" | "allowProtected">)
  | { readonly kind: "at_work"; readonly status: string }
  /** It is a pull request, or about to become one: that lands, or nothing does. */
  | { readonly kind: "is_pull"; readonly url: string | null }
  /** Its branch has no commit that the default branch lacks. */
  | { readonly kind: "no_commits" }
  /** Anybody who can push could have put there what is saved of it. */
  | { readonly kind: "not_accepted" };

export type RequestStep<Landing extends Asked> =
  | { readonly kind: "landed"; readonly head: string }
  /** Somebody has asked for it already. */
  | { readonly kind: "join"; readonly landing: Landing }
  | { readonly kind: "ask" }
  | { readonly kind: "refuse"; readonly refusal: RequestRefusal };

/** Whether a bead is put into the landing queue because a person asks for it. */
export function decideRequest<Landing extends Asked>(
  wish: LandWish,
  { slot, hold, open, isIdle }: RequestFacts<Landing>,
): RequestStep<Landing> {
  if (wish.method === "squash" && wish.signingRequired) return refuse({ kind: "squash_signed" });
  if (slot === undefined) return refuse({ kind: "no_slot" });
  if (slot.status === "merged" && slot.landed !== null) return { kind: "landed", head: slot.landed };
  if (hold !== undefined) return refuse({ kind: "held", actor: hold.actor, reason: hold.reason });
  if (slot.status === "pr-opened") return refuse({ kind: "is_pull", url: slot.pull?.url ?? null });
  if (open !== null) {
    if (open.kind === "open-pull") return refuse({ kind: "is_pull", url: null });
    if (open.kind === "land-pull") return refuse({ kind: "is_pull", url: slot.pull?.url ?? null });
    const { method, allowProtected } = open;
    // It is checked and lands as it was asked for first.
    const otherwise = wish.methodAsked && wish.method !== method;
    return otherwise || (wish.allowProtected && !allowProtected)
      ? refuse({ kind: "under_way", method, allowProtected })
      : { kind: "join", landing: open };
  }
  return isIdle ? { kind: "ask" } : refuse({ kind: "at_work", status: slot.status });
}

function refuse(refusal: RequestRefusal): { readonly kind: "refuse"; readonly refusal: RequestRefusal } {
  return { kind: "refuse", refusal };
}
