import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ulid } from "../../../src/lib/ulid.js";
import { git } from "../../support/cli/project.js";
import {
  bareGitWith,
  dispatching,
  LEDGER_REF,
  remoteLines,
  strangerPushes,
} from "../../support/core/ledgers.js";
import { isRunning } from "../../support/engine/agent-slot.js";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab, WAIT } from "../../support/engine/engine-lab.js";
import { processesOf } from "../../support/engine/engine-processes.js";
import { LONG, longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Somebody with push rights writes events in the name of the lease that is held, which everybody can read. */
function forger(lab: EngineLab) {
  const written = remoteLines(lab.remote).map((line) => JSON.parse(line) as Record<string, string>);
  const lease = written.findLast(({ type }) => type === "lease.claimed")?.id;
  const run = written.findLast(({ type }) => type === "run.started")?.run;
  return (bead: string, ...events: { type: string; data: object }[]) => {
    const envelope = () => ({ id: ulid(Date.now(), randomBytes(10)), at: new Date().toISOString() });
    const lines = events.map((event) => ({ ...envelope(), actor: "mallory", lease, run, bead, ...event }));
    strangerPushes(lab.remote, lines.map((line) => JSON.stringify(line)).join("\n"));
  };
}

const dispatch = (changes: object = {}) => ({
  type: "slot.dispatching",
  data: { ...dispatching, runtime: "shell", resources: [], ...changes },
});
const ended = {
  type: "slot.ended",
  data: {
    ...{ attempt: 1, outcome: "failed", detail: "", session: null, commits: 0, head: null },
    usage: { cost_usd: 0, cost_known: true },
  },
};
const queued = {
  type: "slot.queued",
  data: { reason: "", counts: "none", start: "fresh", not_before: 0 },
};

/** The first one to be started stays for as long as it is let. */
const firstStays = `if [ "$(wc -l <"$lab/starts/$KORYPH_BEAD")" -gt 1 ]; then commit one; exit; fi
mark "$KORYPH_BEAD"
await never
`;

test("whatever is written into the ledger, a bead never has two live agents", async () => {
  const [during, after] = LONG
    ? [
        ["ended", "replaced"],
        ["dropped", "moved"],
      ]
    : [["ended"], ["moved"]];
  const beads = [...during, ...after];
  const lab = new EngineLab({
    remote: true,
    config: { max_concurrent_slots: 4 },
    agents: Object.fromEntries(beads.map((bead) => [bead, firstStays])),
  });
  const engine = lab.start("run");
  for (const bead of beads) await lab.marked(bead);
  // A request is shared at once, and all that the engine has written so far with it.
  await lab.koryph("nudge", "ended", "hello");
  const forge = forger(lab);
  forge("ended", ended, queued);
  if (during.includes("replaced")) forge("replaced", dispatch({ attempt: 7 }));
  for (const bead of during) await engine.says(new RegExp(`${bead} +finished`));
  engine.child.kill("SIGKILL");
  await engine.ended;
  // Nobody looks after the others now, and the ledger says that there is nobody to look after.
  if (after.includes("dropped")) forge("dropped", { type: "slot.dropped", data: { reason: "" } });
  forge("moved", dispatch({ attempt: 7 }));
  const { code, stdout, stderr } = await lab.koryph("run");
  expect({ code, stderr }, stdout).toEqual({ code: 4, stderr: "" });
  expect(await lab.status()).toEqual(Object.fromEntries(beads.map((bead) => [bead, "merge-pending"])));
  const said = engine.said() + stdout;
  for (const bead of beads) {
    expect(said).toMatch(new RegExp(`trouble: ${bead} had .* that no recorded attempt accounts for; ended`));
    expect(lab.starts(bead)).toHaveLength(2);
    expect(existsSync(join(lab.top, "starts", `${bead}.overlap`)), bead).toBe(false);
  }
  expect(processesOf(lab.top)).toEqual([]);
});

longTest(
  "what is written into the ledger starts no other program, no bead that is not open, and ends no other process",
  async () => {
    const victim = spawn("sleep", ["600"], { stdio: "ignore" });
    onTestFinished(() => void victim.kill("SIGKILL"));
    const held = { labels: ["no-dispatch"] };
    const lab = new EngineLab({
      remote: true,
      beads: {
        closed: { status: "closed" },
        taken: { status: "in_progress", assignee: "Ann" },
        program: held,
        held,
      },
      agents: {
        good: "mark good\nawait good\ncommit one\n",
        closed: commitOnce,
        taken: commitOnce,
        held: commitOnce,
      },
    });
    const engine = lab.begin("run");
    await lab.marked("good");
    await lab.koryph("nudge", "good", "hello");
    const forge = forger(lab);
    const process = { pid: victim.pid ?? 0, start: "1", boot: "x" };
    for (const bead of ["closed", "taken", "ghost", "held"]) forge(bead, dispatch());
    forge("program", dispatch({ runtime: "/bin/sh" }));
    forge("good", dispatch(), { type: "slot.started", data: { attempt: 1, process } });
    const claimed = { ...ended.data, commits: 3, head: "0".repeat(40) };
    forge("good", { type: "slot.ended", data: claimed });
    forge("../../../good", dispatch());
    await engine.says(/program +blocked/);
    await engine.says(/ghost +dropped/);
    await lab.koryph("stop", "--run", "--force");
    await expect.poll(() => lab.starts("good").length, WAIT).toBe(2);
    lab.allow("good");
    const { code, stderr } = await engine.ended;
    expect({ code, stderr }, engine.said()).toEqual({ code: 4, stderr: "" });
    for (const bead of ["closed", "taken", "ghost", "program"]) expect(lab.starts(bead), bead).toEqual([]);
    expect(isRunning(victim.pid ?? 0)).toBe(true);
    expect(lab.commits("good")).toEqual(["good one"]);
    const finished = (await lab.log()).filter(
      ({ type, bead }) => type === "slot.finished" && bead === "good",
    );
    const head = git(join(lab.projectHome, "repo.git"), "rev-parse", "agent/good").trim();
    expect(finished.map(({ data }) => data.head)).toEqual([head]);
    // Whoever can push can put any open bead to work, whatever its labels and blockers say.
    expect(await lab.status()).toEqual({ good: "merge-pending", held: "merge-pending", program: "blocked" });
  },
);

longTest("a lease taken away in the ledger ends the engine and its agents", async () => {
  const lab = new EngineLab({ remote: true, agents: { a: firstStays } });
  const engine = lab.begin("run");
  await lab.marked("a");
  await lab.koryph("nudge", "a", "hello");
  forger(lab)("a", { type: "lease.claimed", data: { holder: "mallory", host: "h", ttl_seconds: 60 } });
  const { code } = await engine.ended;
  expect(code, engine.said()).toBe(1);
  await expect.poll(() => processesOf(lab.top), WAIT).toEqual([]);
});

test("a dry run on a ledger that was rewound plans nothing, and says why", async () => {
  const lab = new EngineLab({ remote: true, agents: { a: commitOnce } });
  await lab.koryph("hold", "a");
  await lab.koryph("unhold", "a");
  git(lab.remote, "update-ref", LEDGER_REF, git(lab.remote, "rev-parse", `${LEDGER_REF}~1`).trim());
  const { code, stdout, stderr } = await lab.koryph("run", "--dry-run");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^koryph: ledger_rewound: refs\/koryph\/ledger was at [0-9a-f]+ and is now at/);
});

longTest(
  "a ledger's ref that holds no commit ends a run and every command at once, and each says what was found",
  async () => {
    const lab = new EngineLab({ remote: true, agents: { a: "mark a\nawait a\ncommit one\n" } });
    const engine = lab.start("run");
    await lab.marked("a");
    const blob = bareGitWith("text", lab.remote, "hash-object", "-w", "--stdin");
    git(lab.remote, "update-ref", LEDGER_REF, blob.trim());
    const found = `koryph: ${LEDGER_REF} on the remote is no ledger: it holds a blob, ${blob.slice(0, 10)}\n  next: `;
    const { code, stderr } = await engine.ended;
    expect(code, engine.said()).toBe(1);
    expect(stderr).toContain(found);
    for (const command of [["status"], ["log"], ["hold", "a"], ["run"]])
      expect(await lab.koryph(...command), command[0]).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining(found),
      });
    lab.allow("a");
    await expect.poll(() => processesOf(lab.top), WAIT).toEqual([]);
  },
);
