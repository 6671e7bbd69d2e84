import { createHash } from "node:crypto";
import { handleLanded } from "../../../src/app/pulls/handle-landing.js";
import { LANDED_JOB, LandJobs } from "../../../src/app/pulls/land-jobs.js";
import { answerComment } from "../../../src/comments/answer-comment.js";
import { hex } from "../../../src/comments/signed-event.js";
import { type CommentJob, SWEPT_COMMENT } from "../../../src/core/model/comment-job.js";
import { beadOfBranch } from "../../../src/core/model/pull.js";
import type { ReviewJob } from "../../../src/core/model/review-job.js";
import { UserError } from "../../../src/lib/user-error.js";
import type { Pulls } from "../../../src/ports/pulls.js";
import { TryLater } from "../../../src/ports/try-later.js";
import { recordReview } from "../../../src/pulls/approvals/record-review.js";
import { landPull } from "../../../src/pulls/land-pull.js";
import { syncPulls } from "../../../src/pulls/sync-pulls.js";
import { Missing } from "../sim-clones.js";
import { Hiccup, Life } from "../sim-life.js";
import { SimMachine } from "../sim-machine.js";
import type { HubComment, HubReview } from "./hub.js";
import { commentUrl, KEY, REPOSITORY } from "./hub-ports.js";
import type { PullWorld } from "./pull-world.js";
import { SimInbox, type SimJob, SimMemory } from "./sim-memory.js";

const PLACE = { installation: 1, repository: { fullName: REPOSITORY, id: 1 } };
const AGAIN_MS = 10_000;
const LATER_MS = 60_000;

type Tidies = (pulls: Pulls) => Promise<void>;

const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** A server's disk, and the process that works from it: killed at any call, started again by somebody. */
export class SimApp {
  readonly #world: PullWorld;
  readonly machine: SimMachine;
  readonly inbox = new SimInbox();
  readonly #memory = new SimMemory();
  readonly #busy = new Set<string>();
  readonly #landings: LandJobs;
  #life = new Life("app-0");
  #lives = 0;

  constructor(world: PullWorld) {
    this.#world = world;
    this.machine = new SimMachine(world.origin, world.chance);
    this.#landings = new LandJobs({
      ...{ inbox: this.inbox, memory: this.#memory, onAdded: () => {}, now: () => world.clock.now },
    });
  }

  get isIdle(): boolean {
    return this.inbox.jobs.length === 0 && this.#busy.size === 0;
  }

  kill(): void {
    this.#life.kill();
  }

  /** A webhook about a comment; the same one again changes nothing. */
  async hearComment(comment: HubComment): Promise<void> {
    const { id, pull, by, at, written: body } = comment;
    const job: CommentJob = {
      ...{ ...PLACE, thread: { number: pull, kind: "pull" }, viaApp: null },
      comment: {
        kind: "comment",
        id,
        url: commentUrl(pull, id),
        createdAt: new Date(at).toISOString(),
        body,
      },
      author: { login: by.login, id: by.id, type: "User" },
    };
    await this.#add("intake", `${SWEPT_COMMENT} ${id}`, `thread ${pull}`, { kind: "comment", job });
  }

  async hearReview(review: HubReview, state: ReviewJob["review"]["state"]): Promise<void> {
    const { id, pull, by, at, anchor: head } = review;
    const submittedAt = new Date(at).toISOString();
    const job: ReviewJob = {
      ...{ ...PLACE, pull, author: { login: by.login, id: by.id, type: "User" } },
      review: { id, state, head, submittedAt, body: "", url: commentUrl(pull, id) },
    };
    await this.#add("intake", `review ${id} ${state}`, `thread ${pull}`, { kind: "review", job });
  }

  /** Something happened that a landing may wait for. */
  async hearOther(): Promise<void> {
    await this.#landings.wake(PLACE.repository.id);
  }

  /** What no webhook told of is found in the end. */
  async sweep(): Promise<void> {
    for (const comment of this.#world.hub.comments)
      if (comment.body !== null) await this.hearComment(comment);
    await this.#add("work", `sync ${this.#world.clock.now}`, "sync", { kind: "sync" });
  }

  /** Takes every job up that is due, as far as it gets without time passing. */
  turn(): void {
    if (this.#life.dead) {
      this.#lives += 1;
      this.#life = new Life(`app-${this.#lives}`);
      this.#busy.clear();
    }
    const { now } = this.#world.clock;
    for (const job of [...this.inbox.jobs]) {
      const lane = `${job.lane} ${job.key}`;
      if (this.#busy.has(lane)) continue;
      const first = this.inbox.jobs.find((each) => `${each.lane} ${each.key}` === lane);
      if (first !== job || job.notBefore > now) continue;
      this.#busy.add(lane);
      this.#start(job, lane, this.#life);
    }
  }

  #start(job: SimJob, lane: string, life: Life): void {
    const work = this.#handle(job, life).then(
      (again) => {
        if (again === null) this.inbox.done(job);
        else job.notBefore = this.#world.clock.now + again;
      },
      (error: unknown) => {
        job.notBefore = error instanceof TryLater ? error.notBefore : this.#world.clock.now + AGAIN_MS;
        if (error instanceof TryLater) return;
        this.#world.excuse(life.name, error, [UserError, Hiccup, Missing]);
      },
    );
    Promise.race([work, life.ended]).then(() => {
      this.#world.judge.forget(processOf(job, life));
      if (this.#life === life) this.#busy.delete(lane);
    });
  }

  /** Milliseconds until it is to be taken up again; null when it is done. */
  async #handle(job: SimJob, life: Life): Promise<number | null> {
    const { payload, name } = job;
    const told = JSON.parse(payload) as
      | { readonly kind: "comment"; readonly job: CommentJob }
      | { readonly kind: "review"; readonly job: ReviewJob }
      | { readonly kind: "sync" }
      | { readonly kind?: undefined; readonly branch?: string };
    const process = processOf(job, life);
    const parts = this.#world.partsOf(this.machine, life, process);
    switch (told.kind) {
      case "comment":
        await this.#answer(told.job, parts);
        return null;
      case "review":
        await recordReview({ ...parts, repository: REPOSITORY, digest: sha256, hex }, told.job);
        return null;
      case "sync":
        await syncPulls(parts);
        return null;
      case undefined: {
        if (name !== LANDED_JOB) return this.#land(parts, process, told.branch ?? "");
        const places = { whereInstalled: (_place: object, act: Tidies) => act(parts.pulls) };
        await handleLanded({ places, now: parts.now }, job);
        return null;
      }
    }
  }

  async #answer(job: CommentJob, parts: ReturnType<PullWorld["partsOf"]>): Promise<void> {
    const { config, clock } = this.#world;
    const never = async () => {
      throw new Error("nobody asks for it here");
    };
    await answerComment(
      {
        ...{ threads: parts.threads, memory: this.#memory, now: () => clock.now, onAppended: () => {} },
        publicMemory: false,
        linking: { begin: never, end: never },
        onPull: {
          ...{ pulls: parts.pulls, record: parts.record, reviewAs: async () => false, startLook: never },
          startLanding: (asked, landing) => this.#landings.start(asked, landing),
          landingWithdrawn: async (asked) => this.#landings.wake(asked.repository.id),
          analysing: { by: () => null as never, known: never, start: never, drop: never },
          postRemark: never,
        },
        digest: (text) => sha256(text),
        warn: () => {},
        onAwaited: async () => {},
        open: async () => ({ kind: "project", config, ledger: parts.ledger }),
      },
      job,
    );
  }

  /** The landings of the base branch, one after another, until one has to wait: as the App's own handler does. */
  async #land(
    parts: ReturnType<PullWorld["partsOf"]>,
    process: string,
    base: string,
  ): Promise<number | null> {
    const { state } = await parts.ledger.refresh();
    let again: number | null = null;
    for (const landing of state.landings.filter(({ branch }) => branch === base)) {
      const requester = await this.#landings.requesterOf(landing.id);
      if (requester === null) continue;
      this.#world.requesters.set(process, requester.id);
      const settings = {
        ...{
          repository: REPOSITORY,
          config: this.#world.config,
          mayPushWorkflows: false,
          pushesSilently: false,
          requester,
        },
        evidence: null,
        publicKey: this.#world.hasKey ? KEY : null,
      };
      const outcome = await landPull(parts, settings, { ...landing, allowProtected: false });
      this.#world.log(() => `App: ${landing.bead} ${JSON.stringify(outcome).slice(0, 300)}`);
      this.#world.outcome(landing.pull, outcome);
      const own = outcome.seen !== null && beadOfBranch(outcome.seen.head) !== null;
      if (outcome.kind === "landed" && landing.pull !== null && own)
        await this.#landings.follow(PLACE, { pull: landing.pull, head: outcome.head });
      if (outcome.kind === "waiting" || outcome.kind === "stopped") return LATER_MS;
      if (outcome.kind === "held") again = LATER_MS;
    }
    return again;
  }

  async #add(lane: SimJob["lane"], id: string, key: string, payload: object): Promise<void> {
    await this.inbox.add({ id, name: id, lane, key, payload: JSON.stringify(payload) });
  }
}

function processOf({ id }: SimJob, { name }: Life): string {
  return `${name} ${id}`;
}
