import type { ProjectConfig } from "../../../src/core/config/project-schema.js";
import { GATE_CHECK } from "../../../src/core/land/pull/unmet-for-landing.js";
import type { SimCommit } from "../sim-history.js";
import { type Account, BOT, type Hub, type HubPull, type HubReview } from "./hub.js";

/** What somebody who lands a pull request could see of it since they began to look: each was true at some moment. */
interface Look {
  readonly pull: number;
  readonly ready: Set<string>;
  readonly green: Set<string>;
  /** Everybody whose approval held for a head at one moment. */
  readonly approvers: Map<string, ReadonlySet<number>[]>;
  /** At one moment nobody's last word was a request for changes. */
  unopposed: boolean;
  /** Heads that brought no other open pull request in without its approvals. */
  readonly alone: Set<string>;
}

export interface JudgedRules {
  readonly config: Pick<ProjectConfig, "land" | "signing">;
  readonly approvals: number;
  readonly checks: readonly { readonly name: string; readonly app: number | null }[];
}

interface JudgedLanding {
  readonly pull: HubPull;
  readonly head: string;
  readonly request: string;
  /** Whoever asked for it, where their approval does not count. */
  readonly requester: number | null;
}

const WRITERS: ReadonlySet<string> = new Set(["write", "maintain", "admin"]);
const GREEN: ReadonlySet<string> = new Set(["success", "neutral", "skipped"]);

/**
 * Judges landings by what really happened on the simulated GitHub, and by nothing that koryph wrote, read or counted.
 * Conditions may end while a landing is under way; each has to have held since it last began to look.
 */
export class PullJudge {
  readonly #hub: Hub;
  readonly #people: readonly Account[];
  readonly #rules: JudgedRules;
  readonly #looks = new Map<string, Look>();
  /** Heads that the gate was green on, on some operator's machine. */
  readonly gated: ReadonlySet<string>;

  constructor(hub: Hub, people: readonly Account[], rules: JudgedRules) {
    this.#hub = hub;
    this.#people = people;
    this.#rules = rules;
    this.gated = hub.origin.green;
  }

  begin(process: string, pull: number): void {
    const look: Look = {
      ...{ pull, ready: new Set<string>(), green: new Set<string>(), alone: new Set<string>() },
      ...{ approvers: new Map(), unopposed: false },
    };
    this.#looks.set(process, look);
    this.#see(look);
  }

  forget(process: string): void {
    this.#looks.delete(process);
  }

  /** Something has changed on GitHub. */
  see(): void {
    for (const look of this.#looks.values()) this.#see(look);
  }

  #see(look: Look): void {
    const pull = this.#hub.pull(look.pull);
    if (pull === undefined) return;
    const head = this.#hub.tipOf(pull);
    if (head === "") return;
    if (pull.state === "open" && !pull.draft && pull.into === "main" && pull.shown === head)
      look.ready.add(head);
    if (this.isGreen(head)) look.green.add(head);
    look.approvers.set(head, [...(look.approvers.get(head) ?? []), this.approvers(pull, head)]);
    if (!this.#isOpposed(pull)) look.unopposed = true;
    if (this.#isAlone(pull, head)) look.alone.add(head);
  }

  /** Throws what should not have landed. */
  land(process: string, landing: JudgedLanding): void {
    const wrong = this.#wrongWith(this.#looks.get(process), landing);
    const { pull, head } = landing;
    if (wrong !== null) this.#hub.origin.violate(`#${pull.number} landed as ${head}: ${wrong}`);
  }

  #wrongWith(look: Look | undefined, { pull, head, request, requester }: JudgedLanding): string | null {
    if (look?.pull !== pull.number) return "nobody looked at it";
    if (!look.ready.has(head)) return "it was not open with that head";
    if (!look.green.has(head)) return "its checks were not green";
    const approved = (look.approvers.get(head) ?? []).some(
      (people) => [...people].filter((id) => id !== requester).length >= this.needed(pull),
    );
    if (!approved) return "nobody had approved it in that form";
    if (!look.unopposed) return "somebody who may push asked for changes";
    if (!look.alone.has(head)) return "it brought in another pull request that nobody had approved";
    const { history, tip } = this.#hub.origin;
    if (this.#rules.config.signing.required && history.since(head, tip).some(({ signed }) => !signed))
      return "a commit has no signature";
    if (this.#hub.landings.some((each) => each.request === request)) return "its request had landed before";
    // One pull request may land twice: somebody pushes to its branch between koryph's last look and its push, or takes
    // the landing off the base branch again. GitHub leaves it open with what is left, which is approved and asked for
    // by itself. No piece of work may be there twice.
    const works = history.since(head, tip).flatMap((each) => each.works);
    const there = new Set(history.worksOf(tip));
    return works.length === 0 || works.some((work) => there.has(work)) ? "it had landed before" : null;
  }

  needed({ branch, fork }: HubPull): number {
    const { approvals } = this.#rules.config.land;
    const own = branch.startsWith("agent/") && !fork;
    return Math.max(this.#rules.approvals, approvals === "rules" ? Number(own) : approvals);
  }

  isGreen(head: string): boolean {
    const { config, checks } = this.#rules;
    const byChecks = checks.length > 0 && checks.every((check) => this.#isCheckGreen(head, check));
    if (config.land.gate === "checks") return byChecks;
    const others = checks.every((check) => this.#isCheckGreen(head, check));
    return others && (this.gated.has(head) || (byChecks && checks.some(({ name }) => name === GATE_CHECK)));
  }

  #isCheckGreen(head: string, { name, app }: JudgedRules["checks"][number]): boolean {
    const own = this.#hub.reports.filter(
      (each) => each.genuine && each.sha === head && each.name === name && (app === null || each.app === app),
    );
    const newest = [...new Map(own.map((each) => [each.app, each])).values()];
    return newest.length > 0 && newest.every(({ status, state }) => status === "done" && GREEN.has(state));
  }

  /** Other open pull requests on the way are approved themselves. Whoever asked does not matter to them here. */
  #isAlone(pull: HubPull, head: string): boolean {
    const own = new Set(this.#commits(head).map(({ sha }) => sha));
    return this.#hub.pulls
      .filter((each) => each !== pull && each.state === "open" && each.into === "main" && own.has(each.shown))
      .every((each) => this.approvers(each, each.shown).size >= this.needed(each) && !this.#isOpposed(each));
  }

  /** Whether it needs approvals, and the last word of somebody who may push is a request for changes. */
  #isOpposed(pull: HubPull): boolean {
    return (
      this.needed(pull) > 0 &&
      this.#people.some(
        (person) => WRITERS.has(person.role) && this.#lastWord(person, pull)?.state === "changes-requested",
      )
    );
  }

  #lastWord(person: Account, pull: HubPull): HubReview | undefined {
    return this.#hub.reviews.findLast(({ by, pull: number }) => by === person && number === pull.number);
  }

  /** Whoever has said of exactly these commits that they may land, and had no hand in them. */
  approvers(pull: HubPull, head: string): ReadonlySet<number> {
    const forms = [head, ...this.#carriedTo(pull, head)];
    return new Set(
      this.#people
        .filter((person) => WRITERS.has(person.role))
        .filter((person) => forms.some((form) => this.#approves(person, pull, form)))
        .map(({ id }) => id),
    );
  }

  #approves(person: Account, pull: HubPull, head: string): boolean {
    if (this.#hands(pull, head).has(person.id)) return false;
    const word = this.#lastWord(person, pull);
    if (word?.state === "approved" && word.seen.has(head)) return true;
    // GitHub's times are whole seconds: within the same one the request for changes counts as the later.
    const since = word?.state === "changes-requested" ? Math.floor(word.at / 1000) : -1;
    return this.#hub.comments.some(
      ({ by, pull: number, body, written, seen, at }) =>
        by === person &&
        number === pull.number &&
        body === written &&
        Math.floor(at / 1000) > since &&
        approvesIn(written, head, seen),
    );
  }

  /** Whoever opened it, made its commits, or put one of them where it is. */
  #hands(pull: HubPull, head: string): ReadonlySet<number> {
    const hands = new Set([pull.author.id]);
    const { history } = this.#hub.origin;
    const pushes = this.#hub.pushes.filter(({ branch }) => branch === pull.branch);
    for (const { sha, by } of this.#commits(head)) {
      if (by !== undefined) hands.add(by);
      const brought = pushes.findLast(
        ({ before, after }) =>
          history.isAncestor(sha, after) && !(before !== null && history.isAncestor(sha, before)),
      );
      if (brought !== undefined) hands.add(brought.actor.id);
    }
    return hands;
  }

  /** Earlier heads that koryph made this one of, commit for commit. */
  #carriedTo({ branch }: HubPull, head: string): string[] {
    const pushes = this.#hub.pushes.filter((push) => push.branch === branch);
    if (pushes.findLast(({ after }) => after === head)?.actor !== BOT) return [];
    const form = this.#form(head);
    return pushes
      .map(({ after }) => after)
      .filter((after) => after !== head && this.#commits(after).length > 0 && this.#form(after) === form);
  }

  #form(head: string): string {
    return JSON.stringify(this.#commits(head).map(({ works, by, subject }) => [works, by, subject]));
  }

  #commits(head: string): SimCommit[] {
    return this.#hub.origin.history.since(head, this.#hub.origin.tip);
  }
}

function approvesIn(body: string, head: string, seen: ReadonlySet<string>): boolean {
  const [, sha] = /^\/koryph approve(?: ([0-9a-f]+))?$/.exec(body) ?? [null, null];
  if (sha === null) return false;
  return sha === undefined ? seen.has(head) : head.startsWith(sha);
}
