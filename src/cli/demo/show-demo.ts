import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  type DemoSection,
  demoAdvice,
  demoSections,
  demoWords,
  sectionLines,
} from "../../core/replies/surfaces/demo.js";
import { planSummary } from "../../core/replies/surfaces/demo-plan.js";
import { demoResult } from "../../core/replies/surfaces/demo-result.js";
import { type StoryRow, storyLines, tellRun } from "../../core/replies/surfaces/demo-story.js";
import type { LedgerEvent } from "../../core/run/ledger/ledger-event.js";
import { UserError } from "../../lib/user-error.js";
import type { Terminal } from "../text/terminal.js";
import { DEMO_ISSUES, DEMO_PARTS } from "./demo-backlog.js";
import { DemoLedger } from "./demo-ledger.js";
import { DemoThreads } from "./demo-threads.js";
import type { DemoWorld } from "./demo-world.js";
import { runAction, runKoryph } from "./run-program.js";

const RUN = { mode: "run", review: "true" } as const;
/** With so many agents at work the engine is killed. */
const AGENTS = 3;

/** What the demo showed, for programs. */
export interface DemoOutcome {
  readonly ok: boolean;
  readonly seconds: number;
  readonly run_id: string;
  readonly cost_usd: number;
  readonly pulls_opened: number;
  readonly landed: readonly { readonly bead: string; readonly pull: number; readonly head: string }[];
  readonly verified: boolean;
  readonly report: string;
}

interface Showing {
  readonly terminal: Pick<Terminal, "out" | "paint">;
  readonly signal: AbortSignal;
  /** Where the report goes; a fixed name in the folder for temporary files unless told. */
  readonly report: string | undefined;
  /** Whether everything runs on afterwards. */
  readonly keep: boolean;
}

/** Plan, run, kill, go on, review, approve, land, sync, run again, prove. */
export async function showDemo(world: DemoWorld, showing: Showing): Promise<DemoOutcome> {
  const began = Date.now();
  const stage = new Stage(world, showing);
  stage.say(demoWords.made(DEMO_ISSUES.length));

  stage.begin(demoSections.plan);
  const plan = await stage.action({ mode: "plan" });
  stage.say(planSummary(JSON.parse(plan.plan ?? "")));

  stage.begin(demoSections.run);
  await stage.follow(RUN, { killAt: AGENTS });
  stage.begin({ ...demoSections.crash, says: demoWords.killed(stage.livingAgents()) });
  await stage.follow({ ...RUN, resume: "true" });

  stage.begin(demoSections.people);
  const landed = await peopleDecide(stage);

  stage.begin(demoSections.again);
  const last = await stage.follow({ ...RUN, resume: "true" });

  stage.begin(demoSections.proof);
  const verify = await stage.koryph(["verify", "--all"]);
  stage.say(demoWords.verified(verify.stdout.split("\n")));
  const path = resolve(showing.report ?? join(tmpdir(), "koryph-demo.html"));
  const report = await stage.koryph(["report"], "--out", path);
  const ok = verify.code === 0 && report.code === 0 && last.outcome !== "failure";
  stage.say(["", ...demoResult(stage.events), "", ...demoWords.reported(path)]);
  stage.say(
    ok ? demoWords.next(showing.keep) : demoWords.failed(`${verify.stdout}${verify.stderr}${report.stderr}`),
  );
  return {
    ok,
    seconds: Math.round((Date.now() - began) / 100) / 10,
    run_id: last.run_id ?? "",
    cost_usd: Number(last.cost_usd ?? "0"),
    pulls_opened: stage.events.filter(({ type }) => type === "pull.opened").length,
    landed,
    verified: verify.code === 0,
    report: path,
  };
}

async function peopleDecide(stage: Stage): Promise<DemoOutcome["landed"]> {
  const { threads } = stage;
  const reviewed = threads.pullOf(DEMO_PARTS.reviewed).number;
  await stage.comment("alice", reviewed, "/koryph review", /posted|found|clean|finding/i);
  for (const remark of threads.remarksOn(reviewed)) stage.say(demoWords.remark(remark));

  const pulls = DEMO_PARTS.landed.map((bead) => {
    const { number, pull } = threads.pullOf(bead);
    return { bead, number, approved: pull.headSha };
  });
  for (const { number } of pulls) {
    await threads.until(() => threads.isChecked(number), `the check of #${number}`);
    await stage.comment("alice", number, "/koryph approve", /is approved/);
  }
  const landed = [];
  for (const { bead, number, approved } of pulls) {
    await stage.comment("marge", number, "/koryph land", /has landed|not landed|refused/);
    const head = threads.thread(number).pull?.merged?.commit;
    if (head === undefined) throw UserError.of(demoAdvice.neverCame(`the landing of #${number}`));
    stage.say(head === approved ? demoWords.landedAsIs(head) : demoWords.landedAnew(approved, head));
    landed.push({ bead, pull: number, head });
  }

  const closed = threads.pullOf(DEMO_PARTS.closed).number;
  stage.say(["", demoWords.did("marge", `closes #${closed} by hand, with GitHub's own button`)]);
  await threads.closes("marge", closed);
  await threads.until(() => threads.isOnRecord("pull.closed", DEMO_PARTS.closed), `word of #${closed}`);
  stage.say(demoWords.synced(DEMO_PARTS.closed));
  return landed;
}

/** Where the demo's programs are run and its sections are told. */
class Stage {
  readonly threads: DemoThreads;
  readonly #world: DemoWorld;
  readonly #showing: Showing;
  readonly #ledger: DemoLedger;
  #sections = 0;
  #told = 0;
  #onEvents = () => {};
  events: readonly LedgerEvent[] = [];

  constructor(world: DemoWorld, showing: Showing) {
    this.#world = world;
    this.#showing = showing;
    this.threads = new DemoThreads(world, showing.signal);
    this.#ledger = new DemoLedger(world.runner.home, (events) => this.#tell(events));
  }

  say(lines: readonly string[]): void {
    for (const line of lines) this.#showing.terminal.out(line);
  }

  begin(section: DemoSection): void {
    this.#sections += 1;
    const [title, ...says] = sectionLines(this.#sections, section);
    this.say(["", this.#showing.terminal.paint.heading(title), ...says]);
  }

  /** A step of a workflow that ends by itself. Returns what it hands on. */
  async action(inputs: Readonly<Record<string, string>>) {
    this.#name(demoWords.action(inputs));
    const { signal } = this.#showing;
    const { code, stdout, outputs } = await runAction(this.#world, inputs, { signal });
    if (code !== 0) throw UserError.of(demoAdvice.commandFailed(["(the Action)"], stdout));
    return outputs;
  }

  /** A run, told from the ledger as it goes; it may end by being killed. Returns what it hands on. */
  async follow(inputs: Readonly<Record<string, string>>, { killAt = Number.POSITIVE_INFINITY } = {}) {
    this.#name(demoWords.action(inputs));
    const onLine = (kill: () => void) => {
      this.#onEvents = () => {
        if (this.#agents().length >= killAt) kill();
      };
      this.#ledger.ring();
    };
    const { signal } = this.#showing;
    const { code, stdout, outputs } = await runAction(
      this.#world,
      { ...inputs, token: this.#world.runner.token },
      { onLine, signal },
    );
    await this.#ledger.upToDate();
    if (code !== 0 && code !== null) throw UserError.of(demoAdvice.commandFailed(["(the Action)"], stdout));
    return outputs;
  }

  /** A command on the runner's machine; `unseen` are arguments that nobody needs to read. */
  async koryph(args: readonly string[], ...unseen: readonly string[]) {
    this.#name(demoWords.command(args));
    return runKoryph(this.#world, [...args, ...unseen], { signal: this.#showing.signal });
  }

  /** Somebody's comment, and koryph's reply to it. */
  async comment(login: string, number: number, words: string, until: RegExp): Promise<void> {
    this.say(["", this.#showing.terminal.paint.faint(demoWords.said(login, number, words))]);
    this.say(demoWords.replied(await this.threads.asks(login, number, words, until)));
  }

  livingAgents(): number {
    return this.#agents().filter(isAlive).length;
  }

  #agents(): number[] {
    return this.events.flatMap((event) => (event.type === "slot.started" ? [event.data.process.pid] : []));
  }

  #name(line: string): void {
    this.say(["", this.#showing.terminal.paint.faint(line)]);
  }

  #tell(events: readonly LedgerEvent[]): void {
    this.events = events;
    const rows = tellRun(events);
    for (const row of rows.slice(this.#told)) this.#row(row);
    this.#told = rows.length;
    this.#onEvents();
  }

  #row(row: StoryRow): void {
    const { heading, warning, faint } = this.#showing.terminal.paint;
    const [line, ...below] = storyLines(row);
    const face = { good: heading, bad: warning, plain: (text: string) => text }[MOOD[row.word]];
    this.say([line.replace(row.word, face(row.word)), ...below.map((each) => faint(each))]);
  }
}

const MOOD = {
  starts: "plain",
  again: "plain",
  finished: "good",
  opened: "good",
  landed: "good",
  closed: "bad",
  died: "bad",
  "sent back": "bad",
  "gate red": "bad",
  blocked: "bad",
} as const;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
