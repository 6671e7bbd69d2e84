import type { CommentMemory } from "../../../src/ports/comment-memory.js";
import type { Lane, NewJob } from "../../../src/ports/inbox.js";

/** What the App keeps of conversations. It outlives the process. */
export class SimMemory implements CommentMemory {
  readonly #handled = new Set<string>();
  readonly #decided = new Map<string, string>();
  readonly #replies = new Map<string, number | null>();

  async handled(comment: string): Promise<boolean> {
    return this.#handled.has(comment);
  }

  async markHandled(comment: string): Promise<void> {
    this.#handled.add(comment);
  }

  async decided(comment: string, place: number): Promise<string | null> {
    return this.#decided.get(`${comment} ${place}`) ?? null;
  }

  async decide(comment: string, place: number, decision: string): Promise<void> {
    this.#decided.set(`${comment} ${place}`, decision);
  }

  async replyOf(comment: string): Promise<{ readonly id: number | null } | null> {
    const id = this.#replies.get(comment);
    return id === undefined ? null : { id };
  }

  async intendReply(comment: string): Promise<void> {
    this.#replies.set(comment, null);
  }

  async setReply(comment: string, id: number): Promise<void> {
    this.#replies.set(comment, id);
  }

  async use(): Promise<void> {}

  /** Nobody here writes too often. */
  async uses(): Promise<readonly []> {
    return [];
  }
}

export interface SimJob extends NewJob {
  notBefore: number;
}

/** The App's inbox: jobs of one key are done one after another, and none is lost. */
export class SimInbox {
  readonly jobs: SimJob[] = [];
  readonly #ids = new Set<string>();

  async add(job: NewJob): Promise<"added" | "known"> {
    if (this.#ids.has(job.id)) return "known";
    this.#ids.add(job.id);
    this.jobs.push({ ...job, notBefore: 0 });
    return "added";
  }

  async hasten(lane: Lane, keyStart: string): Promise<number> {
    const found = this.jobs.filter((job) => job.lane === lane && job.key.startsWith(keyStart));
    for (const job of found) job.notBefore = 0;
    return found.length;
  }

  done(job: SimJob): void {
    this.jobs.splice(this.jobs.indexOf(job), 1);
  }
}
