import { hasLabel, isLabel, STATE_LABELS } from "../../core/issues/issue-labels.js";
import { type Bead, issueOfBead } from "../../core/model/bead.js";
import { type ClaimAnswer, judgeClaim } from "../../core/model/claim.js";
import { closedStatus } from "../../core/replies/control/bead-status.js";
import type { Unreleased } from "../../core/schedule/why-idle.js";
import { descendantsOf, frontierOf } from "../../core/schedule/work-graph.js";
import { OutsideFault } from "../../ports/outside-fault.js";
import type { ShownStanding, WorkSource } from "../../ports/work-source.js";
import type { GithubIssues } from "../github/issues/github-issues.js";
import type { ListedIssue } from "../github/issues/listed-issue.js";

/** The list is asked for no more often, unless a slot has become free. */
const FRESH_MS = 60_000;
/** So long the last beads are given out when GitHub does not answer: a claim is judged anew anyhow. */
const PATIENCE_MS = 10 * 60_000;

/**
 * Beads from GitHub issues. Labels and one comment show what koryph does with an issue. The lease in the ledger, and not
 * a label, keeps two engines from taking the same one: GitHub cannot set a label only if it is not there.
 */
export class GithubSource implements WorkSource {
  readonly #open: () => Promise<GithubIssues>;
  readonly #now: () => number;
  #issues: Promise<GithubIssues> | null = null;
  #refreshed: Promise<void> | null = null;
  /** When the list is asked for again. */
  #dueAt = 0;
  #listedAt: number | null = null;
  #last: readonly Bead[] | null = null;
  #unreleased: Unreleased | null = null;
  /** Issue → when it was last judged by itself. */
  readonly #judgedAt = new Map<number, number>();

  /** `open` is called when the first bead is asked for, and throws where the issues cannot be reached. */
  constructor(open: () => Promise<GithubIssues>, now: () => number = () => performance.now()) {
    this.#open = open;
    this.#now = now;
  }

  async all(): Promise<readonly Bead[]> {
    const now = this.#now();
    const { beads, list } = await this.#use();
    try {
      await this.#refresh(now);
      this.#last = await beads.all();
      this.#unreleased = list.unreleased();
    } catch (error) {
      const isRecent = this.#listedAt !== null && now - this.#listedAt < PATIENCE_MS;
      if (!(error instanceof OutsideFault) || this.#last === null || !isRecent) throw error;
      this.#dueAt = Math.max(this.#dueAt, now + FRESH_MS);
    }
    return this.#last;
  }

  unreleased(): Unreleased | null {
    return this.#unreleased;
  }

  async ready({ parent }: { readonly parent?: string } = {}): Promise<readonly Bead[]> {
    const all = await this.all();
    if (parent === undefined) return frontierOf(all);
    const below = new Set(descendantsOf(parent, all));
    return frontierOf(all).filter((bead) => below.has(bead));
  }

  async get(id: string): Promise<Bead | null> {
    const found = await this.#listed(id);
    if (found === null) return null;
    const judged = this.#judgedAt.get(found.record.number);
    const { beads } = await this.#use();
    return judged !== undefined && this.#now() - judged < FRESH_MS ? beads.known(found) : this.#judge(found);
  }

  async children(id: string): Promise<readonly Bead[]> {
    return (await this.all()).filter((bead) => bead.parent === id);
  }

  async claim(id: string, who: string): Promise<ClaimAnswer> {
    const found = await this.#listed(id);
    // However fresh the list is: somebody may have changed the text a moment ago.
    const bead = found === null ? null : await this.#judge(found);
    const meets = judgeClaim(bead, who);
    if (found === null || bead === null || meets === "gone") return "gone";
    if (meets === "taken") return "taken";
    if (bead.release?.kind === "withheld") return "unreleased";
    return (await this.#label(found.record.number, STATE_LABELS.inProgress)) ? "claimed" : "gone";
  }

  async release(id: string): Promise<void> {
    const found = await this.#listed(id);
    if (found === null || found.record.isClosed) return;
    await this.#label(found.record.number, null);
    this.#dueAt = 0;
  }

  async close(id: string, reason: string): Promise<"closed" | "gone"> {
    const { list, writes, status } = await this.#use();
    const number = issueOfBead(id);
    const found = number === null ? null : await list.look(number);
    if (number === null || found === null) return "gone";
    if (!found.record.isClosed) await writes.close(number);
    list.changed(number, { isClosed: true });
    await this.#label(number, null);
    await status.show(number, closedStatus(number, reason), found.comments > 0);
    this.#dueAt = 0;
    return "closed";
  }

  async comment(id: string, text: string): Promise<"added" | "gone"> {
    return (await this.show(id, { kind: "waits", text })) === "gone" ? "gone" : "added";
  }

  async show(id: string, { kind, text }: ShownStanding): Promise<"shown" | "gone"> {
    const { status } = await this.#use();
    const found = await this.#listed(id);
    if (found === null) return "gone";
    const { number, isClosed, labels } = found.record;
    if (kind === "blocked" && !isClosed) await this.#label(number, STATE_LABELS.blocked);
    // A person has taken up what was stuck.
    else if (!isClosed && hasLabel(labels, STATE_LABELS.blocked))
      await this.#label(number, STATE_LABELS.inProgress);
    await status.show(number, text, found.comments > 0);
    // Whatever it waits for, its place is free.
    if (kind !== "at-work") this.#dueAt = 0;
    return "shown";
  }

  #refresh(now: number): Promise<void> {
    if (now < this.#dueAt) return this.#refreshed ?? Promise.resolve();
    this.#dueAt = now + FRESH_MS;
    this.#refreshed = this.#read(now);
    return this.#refreshed;
  }

  async #read(now: number): Promise<void> {
    try {
      const { list } = await this.#use();
      await list.refresh(now);
      this.#listedAt = now;
    } catch (error) {
      this.#dueAt = 0;
      throw error;
    } finally {
      this.#refreshed = null;
    }
  }

  async #judge(found: ListedIssue): Promise<Bead | null> {
    const { beads } = await this.#use();
    const bead = await beads.fresh(found);
    this.#judgedAt.set(found.record.number, this.#now());
    return bead;
  }

  async #listed(id: string): Promise<ListedIssue | null> {
    const { list } = await this.#use();
    const number = issueOfBead(id);
    return number === null ? null : list.lookUp(number);
  }

  /** The issue has this one of koryph's labels afterwards, and no other; false when there is no such issue. */
  async #label(number: number, wanted: string | null): Promise<boolean> {
    const { list, writes } = await this.#use();
    const labels = list.known.get(number)?.record.labels ?? [];
    const own = Object.values(STATE_LABELS).filter((label) => hasLabel(labels, label));
    if (wanted !== null && !own.some((label) => label === wanted))
      if (!(await writes.addLabel(number, wanted))) return false;
    for (const label of own) if (label !== wanted) await writes.removeLabel(number, label);
    const others = labels.filter(
      (label) => !Object.values(STATE_LABELS).some((each) => isLabel(label, each)),
    );
    list.changed(number, { labels: wanted === null ? others : [...others, wanted] });
    return true;
  }

  #use(): Promise<GithubIssues> {
    this.#issues ??= this.#open().catch((error: unknown) => {
      this.#issues = null;
      throw error;
    });
    return this.#issues;
  }
}
