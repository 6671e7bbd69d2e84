import type { ContainedMark } from "../../contain/containment.js";
import { type AccountMarks, accountAt } from "../../govern/account-pin.js";
import { type AccountMark, isSameAccount } from "../../govern/verify-identity.js";
import type { Release, ReleaseVerdict } from "../../model/release.js";
import type { DecidedEvent } from "../ledger/decided-event.js";
import type { EventData } from "../ledger/event-data.js";
import type { NewEvent } from "../ledger/ledger-event.js";
import type { Slot, Stage } from "../ledger/slot.js";
import type { Dispatch } from "../plan/plan-dispatch.js";
import { blockSlot } from "./block-slot.js";
import type { TickFacts } from "./tick-facts.js";

/** Somebody has to look, whatever it is. A provider that is down for a month takes fewer. */
const MOST_ATTEMPTS = 10_000;

/** Where the agents of a run work, as it was found for this tick. */
type Surroundings = Pick<TickFacts, "accounts" | "contained">;

/** The first attempt at a bead. */
export function dispatchEvent(
  item: Dispatch,
  run: string,
  { accounts = {}, contained }: Surroundings = {},
): NewEvent {
  return {
    type: "slot.dispatching",
    bead: item.bead.id,
    run,
    data: {
      attempt: 1,
      title: item.bead.title,
      footprint: { reads: [...item.footprint.reads], writes: [...item.footprint.writes] },
      resources: [...item.resources],
      runtime: item.runtime,
      model: item.model,
      model_why: item.modelWhy,
      merge_policy: item.mergePolicy,
      risk_tier: item.riskTier,
      timeout_seconds: item.timeoutSeconds,
      estimate_usd: item.estimateUsd,
      start: "fresh",
      session: null,
      task: "implement",
      asides: item.stages.map(recorded),
      ...areasOf(item.bead.labels),
      ...releaseOf(item.bead.release),
      ...accountOf(item, accounts),
      ...(contained && { contained }),
    },
  };
}

const MOST_AREAS = 20;

function areasOf(labels: readonly string[]): { readonly areas?: string[] } {
  const areas = labels.flatMap((label) => (label.startsWith("area:") ? [label.slice("area:".length)] : []));
  return areas.length === 0 ? {} : { areas: areas.slice(0, MOST_AREAS) };
}

/** The next attempt of a queued slot, on the model that `nextModel` gave it. All else was decided at its dispatch. */
export function redispatch(slot: Slot, { accounts = {}, contained }: Surroundings = {}): DecidedEvent {
  const { bead, run } = slot;
  const { account } = accountOf(slot, accounts);
  if (slot.attempt >= MOST_ATTEMPTS)
    return blockSlot(slot, { code: "too-many-attempts", times: slot.attempt });
  return {
    type: "slot.dispatching",
    bead,
    run,
    data: {
      attempt: slot.attempt + 1,
      title: slot.title,
      footprint: { reads: [...slot.footprint.reads], writes: [...slot.footprint.writes] },
      resources: [...slot.resources],
      ...(slot.areas && { areas: [...slot.areas] }),
      runtime: slot.runtime,
      model: slot.model,
      model_why: slot.modelWhy,
      merge_policy: slot.mergePolicy,
      risk_tier: slot.riskTier,
      timeout_seconds: slot.timeoutSeconds,
      estimate_usd: slot.estimateUsd,
      start: slot.start,
      // A session is kept where its account is, and is nothing that another one should go on with.
      session: slot.start === "resume" && isSameAccount(slot.account, account) ? slot.session : null,
      task: slot.task,
      asides: slot.asides.map(recorded),
      ...(slot.insteadOf !== null && { instead_of: insteadOf(slot.insteadOf) }),
      ...(slot.release !== undefined && { release: slot.release }),
      ...accountOf(slot, accounts),
      ...containedAgain(slot, contained),
    },
  };
}

/** Work of an agent that nothing shut in stays such work, whoever goes on with it. */
function containedAgain(slot: Slot, now: ContainedMark | undefined): { contained?: ContainedMark } {
  const goesOn = slot.start === "resume" || slot.task !== "implement";
  const contained = slot.contained === "missing" && goesOn ? "missing" : now;
  return contained === undefined ? {} : { contained };
}

function accountOf(
  { runtime }: Pick<Dispatch, "runtime">,
  accounts: AccountMarks,
): { account?: AccountMark } {
  const account = accountAt(accounts, runtime);
  return account === null ? {} : { account };
}

function releaseOf(verdict: ReleaseVerdict | undefined): { release?: Release } {
  if (verdict?.kind !== "released") return {};
  const { by, at, text } = verdict;
  return { release: { by, at, text } };
}

function insteadOf({ model, modelWhy, estimateUsd }: NonNullable<Slot["insteadOf"]>) {
  return { model, model_why: modelWhy, estimate_usd: estimateUsd };
}

function recorded(stage: Stage): EventData<"slot.dispatching">["asides"][number] {
  return {
    task: stage.task,
    model: stage.model,
    model_why: stage.modelWhy,
    timeout_seconds: stage.timeoutSeconds,
    estimate_usd: stage.estimateUsd,
    optional: stage.optional,
  };
}
