import {
  decideSync,
  type FollowedPull,
  followedPulls,
  type PullFate,
  type ShownPull,
} from "../core/control/decide-sync.js";
import { closedReason, type SyncedPull } from "../core/replies/pulls/sync-text.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Ledger, LedgerView } from "../ports/ledger.js";
import type { PullFacts, Pulls } from "../ports/pulls.js";

export interface SyncParts {
  readonly ledger: Ledger;
  readonly pulls: Pick<Pulls, "read" | "listOpen" | "isOn">;
}

export interface SyncWish {
  /** Only this pull request; all that the ledger follows unless told. */
  readonly only?: number;
  /** Nothing is recorded. */
  readonly dryRun?: boolean;
}

/**
 * Brings the ledger to what GitHub shows of pull requests. Repeated, or done by two at once, it records each change
 * once: whoever loses the claim decides again.
 */
export async function syncPulls(
  parts: SyncParts,
  { only, dryRun = false }: SyncWish = {},
): Promise<SyncedPull[]> {
  const { ledger } = parts;
  let view = await ledger.refresh();
  const wanted = followedPulls(view.state).filter(({ pull }) => only === undefined || pull === only);
  if (wanted.length === 0) return [];
  const shown = await look(parts, wanted, only === undefined);
  for (;;) {
    const synced = syncedOf(view, wanted, shown);
    const events = synced.flatMap((each) => eventOf(each) ?? []);
    if (dryRun || events.length === 0) return synced;
    const answer = await ledger.claim(events, view);
    if (answer.kind === "won") return synced;
    view = answer.view;
  }
}

/** What the ledger has come to know meanwhile is no change any more. */
function syncedOf(
  { state }: LedgerView,
  wanted: readonly FollowedPull[],
  shown: ReadonlyMap<number, ShownPull | null>,
): SyncedPull[] {
  const now = new Map(followedPulls(state).map((followed) => [followed.pull, followed]));
  return wanted.map(({ pull, bead, url }) => {
    const followed = now.get(pull);
    const change: PullFate =
      followed === undefined ? { kind: "none" } : decideSync(followed, shown.get(pull) ?? null);
    return { pull, bead, url, change };
  });
}

/** One request for all that are open, and one more for each that is not, and was. */
async function look(
  { pulls }: SyncParts,
  wanted: readonly FollowedPull[],
  all: boolean,
): Promise<ReadonlyMap<number, ShownPull | null>> {
  const open = new Map((all ? await pulls.listOpen() : []).map((pull) => [pull.number, pull]));
  const shown = new Map<number, ShownPull | null>();
  for (const { pull, known, branch } of wanted) {
    const found = open.get(pull);
    // GitHub merges nothing that is closed, so what was closed and is not open is as it was.
    if (all && found === undefined && known === "closed")
      shown.set(pull, { state: "closed", base: branch ?? "", merged: null });
    else shown.set(pull, await shownOf(pulls, found ?? (await pulls.read(pull))));
  }
  return shown;
}

async function shownOf(pulls: Pick<Pulls, "isOn">, pull: PullFacts | null): Promise<ShownPull | null> {
  if (pull === null) return null;
  const { state, merged, base, head } = pull;
  if (merged === null) return { state, base: base.branch, merged: null };
  // A push that brought the very commits in leaves none of GitHub's own.
  const landed = merged.commit ?? ((await pulls.isOn(base.branch, head.sha)) ? head.sha : null);
  return { state, base: base.branch, merged: { landed } };
}

function eventOf({ pull, bead, change }: SyncedPull): NewEvent | null {
  const of = bead === null ? {} : { bead };
  switch (change.kind) {
    case "merged":
      return { type: "pull.merged", ...of, data: { pull, head: change.head } };
    case "closed":
    case "elsewhere":
      return { type: "pull.closed", ...of, data: { pull, reason: closedReason(pull, change) } };
    case "reopened":
      return { type: "pull.reopened", ...of, data: { pull } };
    case "none":
    case "unknown":
      return null;
  }
}
