import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import { LedgerError } from "../../../core/run/ledger/ledger-error.js";
import {
  type LedgerEvent,
  type NewEvent,
  type StampedEvent,
  writeEvent,
} from "../../../core/run/ledger/ledger-event.js";
import { redactEvent } from "../../../core/run/ledger/redact-event.js";
import { ulid } from "../../../lib/ulid.js";
import { UserError } from "../../../lib/user-error.js";
import type {
  BesideMoves,
  ClaimResult,
  LandingClaim,
  Ledger,
  LedgerTail,
  LedgerView,
} from "../../../ports/ledger.js";
import { packageVersion } from "../../project/package-version.js";
import { type CheckReport, checkChain } from "./ledger-check.js";
import { LedgerCopy } from "./ledger-copy.js";
import { archiveRef, type LineageFacts } from "./ledger-lineage.js";
import { type LogEntry, type LogOptions, readLog, readRecent } from "./ledger-log.js";
import { type PurgeReport, type PurgeTarget, surveyHistory } from "./ledger-purge.js";
import { LedgerRemote, type PushedRef, type RemoteEnv } from "./ledger-remote.js";
import { forgetPurged, looseObjects, packs, repack } from "./ledger-repack.js";
import { rollEvent } from "./ledger-roll.js";
import { LedgerSharing } from "./ledger-sharing.js";

export interface GitLedgerFacts {
  /** The bare repository that holds this machine's copy; made when it is not there. */
  readonly gitDir: string;
  /** Address or absolute path of the repository the ledger is shared through. */
  readonly remote: string;
  /** What git needs in its environment to reach it, such as the checkout's own credentials; asked anew where they expire. */
  readonly env?: RemoteEnv;
  readonly ref: string;
  readonly actor: string;
  readonly now: () => number;
  readonly snapshotEvery?: number;
}

const PURGE_TRIES = 5;
const LEAST_TEXT = 6;
const REPACK_ABOVE = 2_000;
const PACKS_ABOVE = 50;

/** The ledger in a git ref: appends are compare-and-swap here, and pushes with a lease on the remote. */
export class GitLedger implements Ledger, LedgerTail {
  readonly #facts: GitLedgerFacts;
  readonly #copy: LedgerCopy;
  readonly #remote: LedgerRemote;
  readonly #sharing: LedgerSharing;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(given: GitLedgerFacts) {
    // Git runs inside the repository, where a relative path would mean another place.
    const facts = { ...given, gitDir: resolve(given.gitDir) };
    this.#facts = facts;
    this.#copy = new LedgerCopy({ snapshotEvery: 1_000, ...facts });
    this.#remote = new LedgerRemote(facts.gitDir, facts.remote, facts.env);
    this.#sharing = new LedgerSharing({ ...this.#where(), copy: this.#copy, now: facts.now });
  }

  refresh(): Promise<LedgerView> {
    return this.#inTurn(async () => {
      await this.#sharing.catchUp();
      return this.#copy.view;
    });
  }

  observe(events: readonly NewEvent[]): Promise<LedgerView> {
    return this.#inTurn(async () => {
      if (events.length === 0) await this.#copy.sync();
      else await this.#copy.append(events.map((event) => writeEvent(this.#stamp(event))));
      return this.#copy.view;
    });
  }

  claim(events: readonly NewEvent[], view: LedgerView): Promise<ClaimResult> {
    return this.#inTurn(async () => {
      const claim = await this.#claim(events, view);
      if (claim === null) return { kind: "lost", view: this.#copy.view };
      return { kind: await this.#sharing.race([claim.ref], claim.id, claim.settle), view: this.#copy.view };
    });
  }

  claimBeside(events: readonly NewEvent[], view: LedgerView, beside: BesideMoves): Promise<LandingClaim> {
    return this.#inTurn(async () => {
      const claim = await this.#claim(events, view);
      if (claim === null) return { kind: "lost", view: this.#copy.view };
      const answer = await this.#sharing.raceBeside(claim.ref, beside, claim.id, claim.settle);
      return { ...answer, view: this.#copy.view };
    });
  }

  /** Null when the view it was decided on is not the newest any more. */
  async #claim(events: readonly NewEvent[], view: LedgerView) {
    const copy = this.#copy;
    await copy.sync();
    copy.refuseReadOnly();
    if (!copy.stacked) await this.#sharing.catchUp();
    if (copy.local.tip !== view.tip) return null;
    const stamped = events.map((event) => this.#stamp(event));
    const lines = stamped.map(writeEvent);
    // Nothing points to the claim until the remote has it, so a lost one needs no taking back.
    const tip = await copy.write(view.tip, lines);
    const ref: PushedRef = { ref: this.#facts.ref, to: tip, expected: copy.confirmed.tip };
    return { ref, id: stamped[0]?.id ?? "", settle: () => copy.settle(tip, lines, "child") };
  }

  share(when: "due" | "now"): Promise<void> {
    return this.#inTurn(async () => {
      const copy = this.#copy;
      await copy.sync();
      if (copy.local.tip === copy.confirmed.tip) return;
      if (when === "due" && !this.#sharing.routineDue) return;
      copy.refuseReadOnly();
      const lost = await this.#sharing.shareLocal();
      if (lost && when === "now") throw new LedgerError("busy", ledgerAdvice.busy(this.#facts.ref));
      const { gitDir } = this.#facts;
      if ((await looseObjects(gitDir)) > REPACK_ABOVE || (await packs(gitDir)) > PACKS_ABOVE)
        await repack(gitDir);
    });
  }

  shareBeside(beside: BesideMoves): Promise<boolean> {
    return this.#inTurn(async () => {
      const copy = this.#copy;
      await copy.sync();
      copy.refuseReadOnly();
      let moved = false;
      const lost = await this.#sharing.shareLocal(beside, () => {
        moved = true;
      });
      if (lost) throw new LedgerError("busy", ledgerAdvice.busy(this.#facts.ref));
      return moved;
    });
  }

  /** Opens a new chain with the folded state and archives the old one, if nothing came after `view`. */
  roll(view: LedgerView): Promise<ClaimResult> {
    return this.#inTurn(async () => {
      const copy = this.#copy;
      await copy.sync();
      copy.refuseReadOnly();
      const { tip: previous, state } = copy.local;
      if (previous === null || previous !== view.tip || !copy.stacked)
        return { kind: "lost", view: copy.view };
      const event = rollEvent({
        ...this.#envelope(),
        version: packageVersion(),
        previous,
        state,
        purge: null,
      });
      const root = await copy.write(null, [writeEvent(event)]);
      const refs = [
        { ref: this.#facts.ref, to: root, expected: copy.confirmed.tip },
        { ref: archiveRef(this.#facts.ref, state.chain.number), to: previous, expected: null },
      ];
      const settle = () => copy.settle(root, [writeEvent(event)], "opening");
      return { kind: await this.#sharing.race(refs, event.id, settle), view: copy.view };
    });
  }

  /**
   * Gets rid of a leaked secret: a roll from a state in which the matching events never happened. The chain
   * is not archived, archives that hold a match are deleted, and this copy forgets it. What the remote's
   * host keeps of unreachable commits is out of our hands.
   */
  purge(target: PurgeTarget): Promise<PurgeReport> {
    return this.#inTurn(async () => {
      const { gitDir, ref } = this.#facts;
      const copy = this.#copy;
      if ("text" in target && target.text.length < LEAST_TEXT)
        throw UserError.of(ledgerAdvice.vagueText(LEAST_TEXT));
      for (let left = PURGE_TRIES; left > 0; left -= 1) {
        await this.#sharing.catchUp();
        copy.refuseReadOnly();
        const started = Date.now();
        const { tip: previous, state } = copy.local;
        if (previous === null) return { events: 0, archives: [] };
        const survey = await surveyHistory(this.#where(), copy.view, target);
        if (survey.matches === 0) return { events: 0, archives: [] };
        const { purge } = survey;
        const event = rollEvent({
          ...this.#envelope(),
          version: packageVersion(),
          previous,
          state: { ...survey.state, chain: state.chain },
          purge,
        });
        const root = await copy.write(null, [writeEvent(event)]);
        const refs: PushedRef[] = [
          { ref, to: root, expected: copy.confirmed.tip },
          ...survey.tainted.map(({ ref, tip }) => ({ ref, to: null, expected: tip })),
        ];
        const settle = () => copy.settle(root, [writeEvent(event)], "opening");
        if ((await this.#sharing.race(refs, event.id, settle)) === "lost") continue;
        await forgetPurged(gitDir, started);
        return { events: survey.droppedLines, archives: survey.tainted.map(({ ref }) => ref) };
      }
      throw new LedgerError("busy", ledgerAdvice.busy(ref));
    });
  }

  check(): Promise<CheckReport> {
    return this.#inTurn(async () => {
      await this.#copy.sync();
      const { local, confirmed } = this.#copy;
      return checkChain(this.#facts.gitDir, local.tip, confirmed.tip);
    });
  }

  /** The current chain's lines in order; with `archived` those of the earlier chains first. */
  async *log(options: LogOptions = {}): AsyncGenerator<LogEntry, void, undefined> {
    const view = await this.#inTurn(async () => {
      await this.#copy.sync();
      return this.#copy.view;
    });
    yield* readLog(this.#where(), view, options);
  }

  async recent(most: number): Promise<readonly LedgerEvent[]> {
    const view = await this.#inTurn(async () => this.#copy.view);
    return readRecent(this.#facts.gitDir, view, most);
  }

  repack(): Promise<void> {
    return this.#inTurn(() => repack(this.#facts.gitDir));
  }

  #stamp(event: NewEvent): StampedEvent {
    return redactEvent({ ...this.#envelope(), ...event });
  }

  #envelope() {
    const now = this.#facts.now();
    return { id: ulid(now, randomBytes(10)), at: new Date(now).toISOString(), actor: this.#facts.actor };
  }

  #where(): LineageFacts {
    return { gitDir: this.#facts.gitDir, ref: this.#facts.ref, remote: this.#remote };
  }

  /** What is in memory belongs to one call at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => {});
    return mine;
  }
}
