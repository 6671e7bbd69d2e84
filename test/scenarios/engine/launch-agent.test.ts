import { expect, test } from "vitest";
import type { Slot } from "../../../src/core/run/ledger/slot.js";
import type { LaunchSpec } from "../../../src/core/runtimes/launch-spec.js";
import { launchAgent } from "../../../src/engine/effects/launch-agent.js";
import type { EngineParts, EngineSettings } from "../../../src/engine/engine-parts.js";
import { AccountRefused, type AgentRuntime } from "../../../src/ports/agent-runtime.js";
import type { PreparedClone } from "../../../src/ports/slot-folders.js";
import { projectWith, slot } from "../../support/core/slots.js";

const NOTHING: PreparedClone = { conflict: false, commits: 0, leftover: "none" };

/** What an agent is started with: its session and its prompt. */
async function started(
  given: Partial<Slot>,
  prepared: PreparedClone = NOTHING,
  account: AgentRuntime["account"] = async () => null,
) {
  let starts = 0;
  const start = async () => {
    starts += 1;
  };
  const written: { prompt: string; session: LaunchSpec["session"] }[] = [];
  const parts = {
    runtime: () => ({
      probe: async () => ({ program: ["agent"], version: null }),
      command: () => ({ argv: ["agent"], env: {}, files: {} }),
      account,
    }),
    folders: {
      folder: () => "",
      agentFolder: () => "",
      home: () => "",
      keyHome: () => "/key-home",
      readPrepared: async () => prepared,
      writeLaunch: async (_: unknown, prompt: string, { spec }: { spec: LaunchSpec }) => {
        written.push({ prompt, session: spec.session });
      },
    },
    processes: { sweep: async () => 0, start },
    worktrees: { pathOf: () => "" },
    repo: { objects: "/objects" },
    source: { get: async () => null },
    liveness: { file: "" },
    newSession: () => "new-one",
  };
  const settings = { config: projectWith(), leaseSeconds: 1, agentNotes: "" };
  const done = await launchAgent(slot({ status: "dispatching", ...given }), {
    parts: parts as unknown as EngineParts,
    settings: settings as unknown as EngineSettings,
    places: { takeAgain: async () => true },
    mayStart: () => true,
  });
  const [launch = { prompt: "", session: null }] = written;
  return { ...launch, starts, done };
}

test("an account that is another by the time of the start starts nothing, and is nobody's failure", async () => {
  const refused = async () => {
    throw new AccountRefused("another", "sign in");
  };
  expect(await started({}, NOTHING, refused)).toMatchObject({ starts: 0, done: false });
  expect(await started({})).toMatchObject({ starts: 1, done: true });
});

test.each<{ name: string; given: Partial<Slot>; session: object }>([
  {
    name: "a session goes on although nothing was committed",
    given: { start: "resume", session: "s", commits: 0 },
    session: { mode: "resume", id: "s" },
  },
  {
    name: "a fresh start has a session of its own",
    given: { start: "fresh", session: "s" },
    session: { mode: "new", id: "new-one" },
  },
  {
    name: "so has an attempt whose agent told of none",
    given: { start: "resume", session: null },
    session: { mode: "new", id: "new-one" },
  },
])("$name", async ({ given, session }) => {
  expect((await started({ attempt: 2, ...given })).session).toEqual(session);
});

test.each<{ name: string; given: Partial<Slot>; prepared: PreparedClone; says: RegExp }>([
  {
    name: "changes of an earlier run are told of at a first attempt, too",
    given: {},
    prepared: { ...NOTHING, leftover: "there" },
    says: /It made no commit\. Changes that it had not committed are in your clone/,
  },
  {
    name: "a patch is named where they did not fit",
    given: { attempt: 2, tries: 2 },
    prepared: { ...NOTHING, leftover: "patch" },
    says: /It made no commit\. .*`CONFLICT\.patch`/,
  },
  {
    name: "an attempt that left nothing is said to have left nothing",
    given: { attempt: 2, tries: 2, lastEnd: "killed" },
    prepared: NOTHING,
    says: /It left nothing, neither a commit nor a changed file/,
  },
  {
    name: "reviews are not counted as attempts",
    given: { attempt: 3, tries: 2 },
    prepared: NOTHING,
    says: /This is attempt 2\./,
  },
])("the prompt: $name", async ({ given, prepared, says }) => {
  expect((await started(given, prepared)).prompt).toMatch(says);
});

test("the prompt of a first attempt tells of none before it", async () => {
  expect((await started({})).prompt).not.toContain("## Earlier attempt");
});
