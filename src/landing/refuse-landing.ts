import type { ArrivedMove } from "../core/land/decide-landing.js";
import { endOf, type LandingEnd } from "../core/land/landing-queue.js";
import type { LandRefusal } from "../core/land/refusal.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Ledger } from "../ports/ledger.js";
import { refusalData } from "./refusal-data.js";

type Request = Pick<Landing, "id" | "bead">;

type Refused =
  | { readonly kind: "refused" }
  /** Somebody has said that they are about to push it, and that push may still arrive. */
  | { readonly kind: "announced" }
  /** Somebody else brought it to its end, so what we found does not matter any more. */
  | LandingEnd;

/** Takes a request off the queue. A claim: nobody may have announced a push of it in the meantime. */
export async function refuseLanding(
  ledger: Ledger,
  request: Request,
  refusal: LandRefusal,
  mayArrive: (intended: ArrivedMove) => boolean | Promise<boolean>,
): Promise<Refused> {
  const event = refusedEvent(request, refusal);
  let view = await ledger.refresh();
  for (;;) {
    const open = view.state.landings.find(({ id }) => id === request.id);
    if (open === undefined) return endOf(view.state, request.bead);
    if (open.intended !== null && (await mayArrive(open.intended))) return { kind: "announced" };
    const answer = await ledger.claim([event], view);
    if (answer.kind === "won") return { kind: "refused" };
    view = answer.view;
  }
}

function refusedEvent({ id, bead }: Request, refusal: LandRefusal): NewEvent {
  return { type: "land.refused", bead, data: { request: id, ...refusalData(refusal) } };
}
