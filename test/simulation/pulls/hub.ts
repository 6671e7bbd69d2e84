import type { Role } from "../../../src/core/commands/roles.js";
import type { BaseRule } from "../../../src/core/land/pull/base-rules.js";
import type { SeenCheck } from "../../../src/core/land/pull/judge-checks.js";
import type { SimClock } from "../sim-clock.js";
import type { SimOrigin } from "../sim-origin.js";

export interface Account {
  readonly id: number;
  readonly login: string;
  role: Role;
}

export interface HubPull {
  readonly number: number;
  readonly branch: string;
  readonly author: Account;
  readonly fork: boolean;
  into: string;
  draft: boolean;
  state: "open" | "closed";
  merged: { readonly commit: string | null } | null;
  /** The head that GitHub shows: it follows the branch after a while. */
  shown: string;
}

/** A comment, with the heads that its author may have looked at: those of the second in which it was written. */
export interface HubComment {
  readonly id: number;
  readonly pull: number;
  readonly by: Account;
  readonly at: number;
  readonly seen: ReadonlySet<string>;
  /** Null when it was deleted. */
  body: string | null;
  /** As it was written. */
  readonly written: string;
}

export interface HubReview {
  readonly id: number;
  readonly pull: number;
  readonly by: Account;
  readonly at: number;
  readonly seen: ReadonlySet<string>;
  state: "approved" | "changes-requested" | "dismissed";
  /** What GitHub says it is about: it moves along with the branch. */
  anchor: string;
}

export interface HubReport extends SeenCheck {
  readonly sha: string;
  /** Not posted by another branch's workflow. */
  readonly genuine: boolean;
}

export interface HubPush {
  readonly branch: string;
  readonly before: string | null;
  readonly after: string;
  readonly at: number;
  readonly actor: Account;
}

/** What koryph put on the base branch, and for which pull request. */
export interface HubLanding {
  readonly pull: number;
  /** The event that asked for it. */
  readonly request: string;
  readonly bead: string;
  readonly from: string;
  readonly head: string;
}

export const ACTIONS = 15_368;
export const BOT: Account = { id: 900, login: "koryph[bot]", role: "write" };

/** GitHub as everybody sees it, and what nobody but the simulation knows: who looked at what, and whose run it was. */
export class Hub {
  readonly origin: SimOrigin;
  readonly clock: SimClock;
  readonly pulls: HubPull[] = [];
  readonly comments: HubComment[] = [];
  readonly reviews: HubReview[] = [];
  readonly reports: HubReport[] = [];
  readonly pushes: HubPush[] = [];
  readonly landings: HubLanding[] = [];
  /** Heads that GitHub will show, and merges that it will notice, from then on. */
  readonly #late: { readonly at: number; readonly show: () => void }[] = [];
  readonly onChange: () => void;
  /** Another base branch, on which nothing ever lands. */
  readonly dev: string;
  rules: readonly BaseRule[] = [];
  rulesReadable = true;
  lateMs: () => number = () => 0;
  #ids = 1;

  constructor(origin: SimOrigin, clock: SimClock, onChange: () => void) {
    this.origin = origin;
    this.clock = clock;
    this.onChange = onChange;
    this.dev = origin.history.addOutside(origin.history.root);
  }

  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  pull(number: number): HubPull | undefined {
    return this.pulls[number - 1];
  }

  /** Where git has the branch of a pull request; empty when it is gone. */
  tipOf({ branch }: HubPull): string {
    return this.origin.branches.get(branch) ?? "";
  }

  /** GitHub catches up with git. */
  pass(): void {
    for (const late of this.#late.splice(0)) {
      if (late.at > this.clock.now) this.#late.push(late);
      else late.show();
    }
    this.onChange();
  }

  push(branch: string, after: string, actor: Account): void {
    const before = this.origin.branches.get(branch) ?? null;
    if (before === after) return;
    this.origin.branches.set(branch, after);
    this.pushes.push({ branch, before, after, at: this.clock.now, actor });
    for (const pull of this.pulls.filter((each) => each.branch === branch && each.state === "open"))
      this.#later(() => this.#follow(pull));
    this.onChange();
  }

  open(pull: Pick<HubPull, "branch" | "author" | "fork">): HubPull {
    const opened: HubPull = {
      ...{ ...pull, number: this.pulls.length + 1, into: "main", draft: false, state: "open", merged: null },
      shown: this.origin.branches.get(pull.branch) ?? "",
    };
    this.pulls.push(opened);
    this.onChange();
    return opened;
  }

  say(pull: number, by: Account, body: string): HubComment {
    const comment: HubComment = {
      ...{ id: this.nextId(), pull, by, at: this.clock.now, seen: this.#seenNow(pull), body, written: body },
    };
    this.comments.push(comment);
    this.onChange();
    return comment;
  }

  review(pull: HubPull, by: Account, state: "approved" | "changes-requested"): HubReview {
    const review: HubReview = {
      ...{ id: this.nextId(), pull: pull.number, by, at: this.clock.now, seen: this.#seenNow(pull.number) },
      ...{ state, anchor: pull.shown },
    };
    this.reviews.push(review);
    this.onChange();
    return review;
  }

  dismiss(review: HubReview): void {
    review.state = "dismissed";
    this.onChange();
  }

  report(report: Omit<HubReport, "order">): void {
    this.reports.push({ ...report, order: this.nextId() });
    this.onChange();
  }

  /** Somebody moves the base branch, koryph included. GitHub notices later which pull requests that brought in. */
  moveBase(to: string): void {
    const { history, tip: from } = this.origin;
    this.origin.moveTo(to);
    for (const pull of this.pulls) {
      const head = this.tipOf(pull);
      if (head === "" || pull.into !== "main" || !history.isAncestor(head, to)) continue;
      if (!history.isAncestor(head, from)) this.#later(() => this.#merge(pull, head));
    }
    this.onChange();
  }

  /** Closed, or brought in by GitHub's own button. */
  close(pull: HubPull, merged: HubPull["merged"]): void {
    if (pull.state === "closed") return;
    pull.state = "closed";
    pull.merged = merged;
    this.onChange();
  }

  /** The heads that a branch had in the second that it is now. */
  #seenNow(number: number): Set<string> {
    const pull = this.pull(number);
    if (pull === undefined) return new Set();
    const second = Math.floor(this.clock.now / 1000) * 1000;
    const during = this.pushes.filter(({ branch, at }) => branch === pull.branch && at >= second);
    return new Set([this.tipOf(pull), ...during.flatMap(({ before }) => before ?? [])]);
  }

  #follow(pull: HubPull): void {
    const tip = this.tipOf(pull);
    if (pull.state !== "open" || tip === "") return;
    pull.shown = tip;
    // A review moves along with the branch, whoever pushed what.
    for (const review of this.reviews) if (review.pull === pull.number) review.anchor = tip;
  }

  #merge(pull: HubPull, head: string): void {
    if (pull.state === "open" && this.origin.has(head)) {
      pull.shown = head;
      this.close(pull, { commit: null });
    }
  }

  #later(show: () => void): void {
    this.#late.push({ at: this.clock.now + this.lateMs(), show });
  }
}
