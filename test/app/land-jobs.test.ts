import { expect, test } from "vitest";
import { AppMemory } from "../../src/adapters/store/app-memory.js";
import { LandJobs } from "../../src/app/pulls/land-jobs.js";
import type { CommentJob } from "../../src/core/model/comment-job.js";
import { taken, testInbox } from "../support/app/store.js";

const LANDING = { request: "01REQUEST", pull: 6, branch: "main" };

function askedIn(comment: number): CommentJob {
  return {
    repository: { fullName: "o/r", id: 7 },
    installation: 1,
    thread: { number: 6, kind: "pull" },
    comment: {
      kind: "comment",
      id: comment,
      url: "",
      createdAt: "2026-01-01T00:00:00Z",
      body: "/koryph land",
    },
    author: { login: "ann", id: 10, type: "User" },
    viaApp: null,
  };
}

async function landJobs() {
  const { store, inbox, clock } = await testInbox();
  const jobs = new LandJobs({ inbox, memory: new AppMemory(store), onAdded: () => {}, now: clock.now });
  return { inbox, clock, jobs };
}

test("a landing that is in the queue again is taken up again when somebody asks for it", async () => {
  const { inbox, clock, jobs } = await landJobs();
  await jobs.start(askedIn(1), LANDING);
  await inbox.done(await taken(inbox, clock, "landing"));
  // Its end was taken off the ledger since, so the same request waits there.
  await jobs.start(askedIn(2), LANDING);
  expect(await inbox.take("landing", clock.time)).toMatchObject({ key: "land 7 main" });
});

test("a comment that is delivered again asks for nothing new", async () => {
  const { inbox, clock, jobs } = await landJobs();
  await jobs.start(askedIn(1), LANDING);
  await inbox.done(await taken(inbox, clock, "landing"));
  await jobs.start(askedIn(1), LANDING);
  expect(await inbox.take("landing", clock.time)).toBeNull();
});

const evidence = {
  ...{ url: "https://github.test", source: "comment 1", body_sha256: "0".repeat(64) },
  ...{ login: "maria", user_id: 3 },
};

test.each([
  { name: "with evidence", kept: { id: 3, login: "maria", evidence } },
  { name: "without, as older ones are", kept: { id: 3, login: "maria" } },
])("whoever asked for a landing is known again: $name", async ({ kept }) => {
  expect(await knowing(JSON.stringify(kept)).requesterOf("r")).toEqual(kept);
});

test("nobody is known where nobody asked, and what cannot be read is nobody's word", async () => {
  expect(await knowing(null).requesterOf("r")).toBe(null);
  await expect(knowing('{"login":"maria"}').requesterOf("r")).rejects.toThrow();
});

function knowing(decided: string | null): LandJobs {
  return new LandJobs({
    inbox: { add: async () => "added" as const, hasten: async () => 0 },
    memory: { decided: async () => decided, decide: async () => {} },
    onAdded: () => {},
    now: () => 0,
  });
}
