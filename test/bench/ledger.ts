import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GitLedger } from "../../src/adapters/git/ledger/git-ledger.js";
import { SNAPSHOT_FILE } from "../../src/adapters/git/ledger/ledger-snapshot.js";
import type { NewEvent } from "../../src/core/run/ledger/ledger-event.js";
import { ROLL_EVERY } from "../../src/core/run/ledger/roll-due.js";
import { DISPATCHED } from "./dispatched.js";
import { importLedger } from "./ledger-chains.js";
import { inPairs, median, report, reportLoad, reportPairs, timed } from "./measure.js";

const REF = "refs/koryph/ledger";
const REPLAYED = 100_000;
const ROLLED = 1_000_000;
const SLOTS = 200;
const BATCH = 50;
const APPENDS = { warmUp: 20, counted: 200 };

export async function benchLedger(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  try {
    benchReading(root);
    await benchAppends(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function benchReading(root: string): void {
  const long = bareRepository(join(root, "long.git"));
  importLedger(long, REF, REPLAYED, REPLAYED);
  const gitDir = join(root, "long-copy.git");
  const cold = inOwnProcess("refresh", gitDir, long);
  rmSync(join(gitDir, SNAPSHOT_FILE), { force: true });
  const replay = inOwnProcess("replay", gitDir, long);
  const snapshot = inOwnProcess("replay", gitDir, long);
  report(`replay of ${replay.events} events: seconds`, replay.seconds, "≤ 2");
  report(`replay of ${replay.events} events: peak RSS in MB`, replay.rssMb, "< 300");
  report("the same with its snapshot / without", snapshot.seconds / replay.seconds, "< 1");

  const rolled = bareRepository(join(root, "rolled.git"));
  importLedger(rolled, REF, ROLLED, ROLL_EVERY);
  const start = inOwnProcess("refresh", join(root, "rolled-copy.git"), rolled);
  report(`cold start over ${ROLLED} events in rolled chains: seconds`, start.seconds, "—");
  report(
    `cold start: ${ROLLED} events in rolled chains / ${REPLAYED} in one`,
    start.seconds / cold.seconds,
    "< 1",
  );
}

async function benchAppends(root: string): Promise<void> {
  const remote = bareRepository(join(root, "appends.git"));
  const facts = { remote, ref: REF, actor: "bench", now: Date.now };
  const ledger = new GitLedger({ gitDir: join(root, "appends-copy.git"), ...facts });
  const events = (count: number): NewEvent[] =>
    Array.from({ length: count }, (_, index) => ({
      type: "slot.blocked",
      bead: `b-${index}`,
      data: { reason: "a reason of usual length" },
    }));
  // As many beads as a busy project has: each append makes a new state of all of them.
  const begun = Array.from({ length: SLOTS }, (_, n): NewEvent => {
    return { type: "slot.dispatching", bead: `b-${n}`, run: "r", data: DISPATCHED };
  });
  await ledger.observe(begun);
  const plain = plainAppender(bareRepository(join(root, "plain.git")));
  const batches: number[] = [];
  const pairs = await inPairs(APPENDS, async (round) => {
    batches.push(await timed(() => ledger.observe(events(BATCH))));
    return { ours: () => ledger.observe(events(1)), plain: () => plain(round) };
  });
  reportLoad();
  reportPairs(`append of one event, ${SLOTS} beads at work`, pairs, { ms: "—", ratio: "≤ 2" });
  report("the same as a goal: ours, median ms", median(pairs.ours), "≤ 1.5");
  const each = median(batches) / BATCH;
  report(`append of ${BATCH} events at once, per event: plain / ours`, median(pairs.plain) / each, "≥ 20");
}

/** The least git can do for one event: a commit and a moved ref. */
function plainAppender(gitDir: string): (round: number) => void {
  const tree = git(gitDir, ["mktree"], "");
  let tip = "";
  return (round) => {
    const parent = tip === "" ? [] : ["-p", tip];
    const commit = git(
      gitDir,
      ["commit-tree", tree, ...parent],
      `slot.blocked b-${round}\n\n{"id":${round}}\n`,
    );
    git(gitDir, ["update-ref", REF, commit, ...(tip === "" ? [] : [tip])], "");
    tip = commit;
  };
}

function bareRepository(gitDir: string): string {
  execFileSync("git", ["init", "--quiet", "--bare", gitDir]);
  return gitDir;
}

function git(gitDir: string, args: readonly string[], input: string): string {
  const who = { NAME: "bench", EMAIL: "bench@localhost" };
  const env = {
    PATH: process.env.PATH,
    GIT_AUTHOR_NAME: who.NAME,
    GIT_AUTHOR_EMAIL: who.EMAIL,
    GIT_COMMITTER_NAME: who.NAME,
    GIT_COMMITTER_EMAIL: who.EMAIL,
  };
  return execFileSync("git", args, { cwd: gitDir, input, encoding: "utf8", env }).trim();
}

/** Memory is only told apart in a process of its own; the time is that of the ledger, not of starting Node. */
function inOwnProcess(what: "refresh" | "replay", gitDir: string, remote: string): Reading {
  const module = new URL("../../src/adapters/git/ledger/git-ledger.js", import.meta.url).href;
  const script = `
    const { GitLedger } = await import(process.argv[1]);
    const [gitDir, remote, what] = process.argv.slice(2);
    const ledger = new GitLedger({ gitDir, remote, ref: "${REF}", actor: "bench", now: Date.now });
    const start = process.hrtime.bigint();
    const { state } = what === "refresh" ? await ledger.refresh() : await ledger.observe([]);
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const rssMb = process.resourceUsage().maxRSS / 1024;
    console.log(JSON.stringify({ seconds, rssMb, events: state.events }));`;
  const args = ["--input-type=module", "-e", script, module, gitDir, remote, what];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

interface Reading {
  readonly seconds: number;
  readonly rssMb: number;
  readonly events: number;
}
