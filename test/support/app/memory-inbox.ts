import type { NewJob } from "../../../src/ports/inbox.js";

/** The part of an inbox that the server uses, for looking at what it was given. */
export class MemoryInbox {
  readonly jobs: NewJob[] = [];
  /** What `add` throws, while it is set. */
  failure: Error | null = null;

  async add(job: NewJob): Promise<"added" | "known"> {
    if (this.failure !== null) throw this.failure;
    if (this.jobs.some(({ id }) => id === job.id)) return "known";
    this.jobs.push(job);
    return "added";
  }
}
