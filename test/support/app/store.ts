import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type Store } from "../../../src/adapters/store/open-store.js";
import { SqlInbox } from "../../../src/adapters/store/sql-inbox.js";
import type { Job, Lane, NewJob } from "../../../src/ports/inbox.js";
import { tempFolder } from "../temp-folder.js";

/** A clock that tests move by hand. */
export class HandClock {
  time = 1_000_000;
  readonly now = () => this.time;
}

export function storeFile(): string {
  return join(tempFolder(), "app", "koryph.db");
}

/** Open until the test ends. */
export async function testStore(file = storeFile()): Promise<Store> {
  const store = await openStore(file);
  onTestFinished(() => store.close());
  return store;
}

export async function testInbox(clock = new HandClock()) {
  const store = await testStore();
  return { store, clock, inbox: new SqlInbox(store, clock.now) };
}

export function newJob(id: string, changes: Partial<NewJob> = {}): NewJob {
  return { id, name: "issue_comment", lane: "intake", key: "o/r#1", payload: "{}", ...changes };
}

/** A job that must be there. */
export async function taken(inbox: SqlInbox, clock: HandClock, lane: Lane = "intake"): Promise<Job> {
  const job = await inbox.take(lane, clock.time);
  if (job === null) throw new Error(`nothing to take from ${lane}`);
  return job;
}
