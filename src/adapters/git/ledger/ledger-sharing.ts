import { setTimeout as pause } from "node:timers/promises";
import { remoteWords } from "../../../core/replies/land/landing-repo.js";
import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import { LedgerError } from "../../../core/run/ledger/ledger-error.js";
import { nextPushAt, recentPushes } from "../../../core/run/ledger/push-rate.js";
import type { BesideMoves } from "../../../ports/ledger.js";
import type { LedgerCopy } from "./ledger-copy.js";
import { crossRolls, type LineageFacts, refuseOthersCommits } from "./ledger-lineage.js";
import { MOST_LOOKS, type PushedRef } from "./ledger-remote.js";
import { forgetPurged } from "./ledger-repack.js";
import { emptyReplay, knows, replay } from "./ledger-replay.js";

export interface SharingFacts extends LineageFacts {
  readonly copy: LedgerCopy;
  readonly now: () => number;
}

const PUSH_TRIES = 4;
const PUSH_PAUSE_MS = 100;
const LOST_RACES = 20;

/** Git's words for what may go better a moment later; a hook or a rule that says no says it again. */
const PASSING =
  /lock ref|failed to lock|unable to create|hung up|early eof|timed out|no answer within|connection/i;

/** The remote's own words first, then git's. */
function reasonIn(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const said = lines
    .filter((line) => line.startsWith("remote: "))
    .map((line) => line.slice("remote: ".length));
  const rejected = lines.filter((line) => /rejected|^fatal:|^error:/.test(line));
  const words = [...said, ...rejected].filter((line) => line !== "").join("; ");
  return remoteWords(words === "" ? "the remote gave no reason" : words);
}

/** What passes between this machine's copy and the remote. */
export class LedgerSharing {
  readonly #facts: SharingFacts;
  #pushes: number[] = [];

  constructor(facts: SharingFacts) {
    this.#facts = facts;
  }

  /** Whether what is not urgent may be pushed now. */
  get routineDue(): boolean {
    const now = this.#facts.now();
    return nextPushAt("routine", this.#pushes, now) <= now;
  }

  /** Brings the copy to what the remote holds; asks for no more than its tip when that did not change. */
  async catchUp(): Promise<void> {
    const { copy, remote, ref } = this.#facts;
    await copy.sync();
    const tip = await remote.tip(ref);
    if (tip !== copy.confirmed.tip || !copy.stacked) await this.#integrate(tip);
  }

  /** Folds what the remote holds and puts our own after it. Says of an id whether the remote has it. */
  async #integrate(listed: string | null): Promise<(id: string) => boolean> {
    const { copy, gitDir, remote, ref } = this.#facts;
    let tip = listed;
    for (let left = MOST_LOOKS; left > 0; left -= 1, tip = await remote.tip(ref)) {
      const seen = copy.confirmed.tip;
      if (tip === null) {
        if (seen === null) return () => false;
        throw this.#rewound(seen, null);
      }
      if (!(await remote.bring({ ref, tip }))) continue;
      const grown = await replay(gitDir, copy.confirmed, tip, "whole");
      const crossing = grown === null && seen !== null ? await crossRolls(this.#facts, seen, tip) : null;
      const next = grown ?? (crossing && (await replay(gitDir, emptyReplay(), tip, "whole")));
      if (grown === null || seen === null) await refuseOthersCommits(this.#facts, tip, next);
      if (next === null) throw this.#rewound(seen ?? "", tip);
      const started = Date.now();
      if (await copy.rebase({ ...next, tip }, crossing)) {
        if (crossing?.purged) await forgetPurged(gitDir, started);
        return (id) => knows(next, id) || crossing?.passed.has(id) === true;
      }
      await copy.sync();
    }
    throw new LedgerError("busy", ledgerAdvice.busy(ref));
  }

  /** Pushes what was decided on the present tip. Only the remote knows who won, so it is asked when in doubt. */
  async race(
    refs: readonly PushedRef[],
    id: string,
    settle: () => Promise<boolean>,
  ): Promise<"won" | "lost"> {
    const { copy, remote, ref } = this.#facts;
    const wanted = refs[0]?.to;
    for (let left = PUSH_TRIES; ; left -= 1) {
      const { code, stderr } = await this.#push(refs);
      const tip = code === 0 && wanted ? wanted : await remote.tip(ref);
      if (tip === wanted) {
        if (!(await settle())) await this.catchUp();
        return "won";
      }
      if (tip !== copy.confirmed.tip) {
        const arrived = await this.#integrate(tip);
        return arrived(id) ? "won" : "lost";
      }
      if (left === 0) throw new LedgerError("refused", ledgerAdvice.refused(ref, stderr));
      await pause(PUSH_PAUSE_MS);
    }
  }

  /** A race in which other refs move along: whoever moves one of them wins against us, too. */
  async raceBeside(
    own: PushedRef,
    beside: BesideMoves,
    id: string,
    settle: () => Promise<boolean>,
  ): Promise<{ kind: "won" | "lost" } | { kind: "refused"; why: string }> {
    const { copy, remote, ref } = this.#facts;
    const refs = [own, ...beside.refs.map(({ ref, to, from }) => ({ ref, to, expected: from }))];
    for (let left = PUSH_TRIES; ; left -= 1) {
      const { code, stderr } = await this.#push(refs, beside.objects);
      const tip = code === 0 ? own.to : await remote.tip(ref);
      if (tip === own.to) {
        if (!(await settle())) await this.catchUp();
        return { kind: "won" };
      }
      if (tip !== copy.confirmed.tip) {
        const arrived = await this.#integrate(tip);
        return { kind: arrived(id) ? "won" : "lost" };
      }
      for (const { ref, from } of beside.refs) if ((await remote.tip(ref)) !== from) return { kind: "lost" };
      if (left === 0 || !PASSING.test(stderr)) return { kind: "refused", why: reasonIn(stderr) };
      await pause(PUSH_PAUSE_MS);
    }
  }

  /**
   * True when others were faster every time; what is ours is still here then. Other refs move along in the same write,
   * of which `moved` is told; where they cannot, ours goes alone.
   */
  async shareLocal(beside: BesideMoves | null = null, moved: () => void = () => {}): Promise<boolean> {
    const { copy, remote, ref } = this.#facts;
    let [refused, along] = [0, beside];
    for (let left = LOST_RACES; left > 0; left -= 1) {
      const { tip } = copy.local;
      const own = tip === copy.confirmed.tip ? [] : [{ ref, to: tip, expected: copy.confirmed.tip }];
      const others = along?.refs.map(({ ref, to, from }) => ({ ref, to, expected: from })) ?? [];
      if (own.length + others.length === 0) return false;
      if (copy.stacked) {
        const { code, stderr } = await this.#push([...own, ...others], along?.objects);
        if (code === 0) {
          if (along !== null) moved();
          await copy.shared();
          return false;
        }
        const found = await remote.tip(ref);
        if (found === copy.confirmed.tip && along !== null) {
          along = null;
          continue;
        }
        if (found === copy.confirmed.tip) {
          refused += 1;
          if (refused === PUSH_TRIES) throw new LedgerError("refused", ledgerAdvice.refused(ref, stderr));
          await pause(PUSH_PAUSE_MS);
          continue;
        }
        await this.#integrate(found);
      } else await this.catchUp();
      if (copy.local.tip === copy.confirmed.tip && along === null) return false;
    }
    return true;
  }

  #push(refs: readonly PushedRef[], objects?: string) {
    const now = this.#facts.now();
    this.#pushes = [...recentPushes(this.#pushes, now), now];
    return this.#facts.remote.push(refs, objects);
  }

  #rewound(seen: string, found: string | null): LedgerError {
    const { ref, gitDir } = this.#facts;
    return new LedgerError("rewound", ledgerAdvice.rewound(ref, seen, found, gitDir));
  }
}
