import { createHash } from "node:crypto";
import { z } from "zod";
import type { StartedLanding } from "../../comments/pull-verbs.js";
import { evidenceOf } from "../../comments/signed-event.js";
import type { CommentJob } from "../../core/model/comment-job.js";
import { Evidence } from "../../core/run/ledger/evidence.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { Inbox, Lane } from "../../ports/inbox.js";
import { OUTCOME_JOB } from "../comments/watch-outcome.js";
import type { InstalledPlace } from "./pull-places.js";

/** The name under which a base branch with landings lies in the inbox. */
export const LAND_JOB = "koryph.land";
/** The name under which a landed pull request lies there until GitHub shows it as merged. */
export const LANDED_JOB = "koryph.landed";

const Place = z.object({
  installation: z.number(),
  repository: z.object({ fullName: z.string(), id: z.number() }),
});

export const LandJob = Place.extend({ branch: z.string() });
export type LandJob = z.infer<typeof LandJob>;

export const LandedJob = Place.extend({ pull: z.number(), head: z.string(), at: z.number() });
export type LandedJob = z.infer<typeof LandedJob>;

/** Whoever asked this App for a landing, and where; older ones are without it. */
const Requester = z.object({ id: z.number(), login: z.string(), evidence: Evidence.optional() });
export type Requester = z.infer<typeof Requester>;

export interface LandJobParts {
  readonly inbox: Pick<Inbox, "add"> & { hasten(lane: Lane, keyStart: string): Promise<number> };
  readonly memory: Pick<CommentMemory, "decide" | "decided">;
  readonly onAdded: (lane: Lane) => void;
  readonly now: () => number;
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** A place among decisions that no command has: who asked for a landing. */
const REQUESTER_PLACE = 0;

/**
 * Landings of one base branch are brought on one at a time. Only those that this App was asked for are its own to land:
 * whoever can push can write a request into the ledger, in anybody's name.
 */
export class LandJobs {
  readonly #parts: LandJobParts;

  constructor(parts: LandJobParts) {
    this.#parts = parts;
  }

  async start(job: CommentJob, landing: StartedLanding): Promise<void> {
    const { id, login } = job.author;
    await this.resume(job, landing, { id, login, evidence: evidenceOf(job, digest) });
  }

  /** The landing is taken up from now on; `requester` is whoever GitHub shows to have asked for it. */
  async resume(
    { installation, repository }: InstalledPlace,
    landing: Pick<StartedLanding, "request" | "branch">,
    requester: Requester,
  ): Promise<void> {
    const { memory, inbox, onAdded, now } = this.#parts;
    await memory.decide(requestName(landing.request), REQUESTER_PLACE, JSON.stringify(requester), now());
    const { branch } = landing;
    const payload: LandJob = { installation, repository, branch };
    await inbox.add({
      // A request may be in the queue again after its end: somebody took the newest events off the ledger.
      id: `${LAND_JOB} ${landing.request} ${requester.evidence?.source ?? ""}`,
      name: LAND_JOB,
      lane: "landing",
      key: landKey(repository.id, branch),
      payload: JSON.stringify(payload),
    });
    // One that waits for an earlier pull request holds up those behind it.
    await inbox.hasten("landing", landKey(repository.id, branch));
    onAdded("landing");
  }

  /** Whoever asked this App for the landing; null when nobody did. */
  async requesterOf(request: string): Promise<Requester | null> {
    const found = await this.#parts.memory.decided(requestName(request), REQUESTER_PLACE);
    return found === null ? null : Requester.parse(JSON.parse(found));
  }

  /** Something happened in the repository that a landing may wait for. */
  async wake(repository: number): Promise<void> {
    const { inbox, onAdded } = this.#parts;
    if ((await inbox.hasten("landing", `land ${repository} `)) > 0) onAdded("landing");
  }

  /** GitHub is asked from now on whether it shows the pull request as merged. */
  async follow(
    place: InstalledPlace,
    landed: { readonly pull: number; readonly head: string },
  ): Promise<void> {
    const { inbox, onAdded, now } = this.#parts;
    const { installation, repository } = place;
    const payload: LandedJob = { installation, repository, ...landed, at: now() };
    const id = `${LANDED_JOB} ${repository.id} ${landed.pull} ${landed.head}`;
    await inbox.add({ id, name: LANDED_JOB, lane: "work", key: id, payload: JSON.stringify(payload) });
    // Whoever asked is told by the reply that waits for the outcome.
    await inbox.hasten("work", `${OUTCOME_JOB} ${repository.fullName} `);
    onAdded("work");
  }

  /** A landing is over: replies that wait for an outcome are looked at now. */
  async tell({ repository }: InstalledPlace): Promise<void> {
    const { inbox, onAdded } = this.#parts;
    await inbox.hasten("work", `${OUTCOME_JOB} ${repository.fullName} `);
    onAdded("work");
  }
}

function requestName(request: string): string {
  return `landing ${request}`;
}

function landKey(repository: number, branch: string): string {
  return `land ${repository} ${branch}`;
}
