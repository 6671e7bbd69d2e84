import { type DemoSection, demoSections, demoWords, sectionLines } from "../../core/replies/surfaces/demo.js";
import { planSummary } from "../../core/replies/surfaces/demo-plan.js";
import { demoResult } from "../../core/replies/surfaces/demo-result.js";
import { type StoryRow, storyLines, tellRun } from "../../core/replies/surfaces/demo-story.js";
import type { LedgerEvent } from "../../core/run/ledger/ledger-event.js";
import { UserError } from "../../lib/user-error.js";
import type { Terminal } from "../text/terminal.js";
import { DEMO_BEADS, DEMO_RUN } from "./demo-backlog.js";
import { DemoLedger } from "./demo-ledger.js";
import { DEMO_SIGNER, type DemoPlace, landedCommits, publish, writeBacklog } from "./demo-repository.js";
import { runKoryph } from "./run-koryph.js";

const FLAGS = ["--review", "--auto-merge"];
/** With so many agents at work the engine is killed. */
const AGENTS = 3;
/** A run that ends because nothing is left says so with this code, which is success. */
const DRAINED = 4;

/** Plan, sign, run, kill, go on, look. Returns the exit code: 0 when everything ended as it should. */
export async function showDemo(place: DemoPlace, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const stage = new Stage(place, terminal, signal);
  stage.say(demoWords.made(DEMO_BEADS.filter(({ status }) => status !== "closed").length));

  stage.begin(demoSections.plan);
  const plan = await stage.koryph(["run", "--dry-run"], "--json");
  stage.say(planSummary(JSON.parse(plan.stdout)));

  stage.begin(demoSections.sign);
  await stage.koryph(["signing", "init"]);
  await publish(place, "chore: allow koryph to sign");
  stage.say(demoWords.signed(DEMO_SIGNER));

  await writeBacklog(place, DEMO_RUN);
  stage.begin(demoSections.run);
  await stage.follow(["run", ...FLAGS], { killAt: AGENTS });

  stage.begin({ ...demoSections.crash, says: demoWords.killed(stage.livingAgents()) });
  const code = await stage.follow(["run", "--resume", ...FLAGS]);

  stage.begin(demoSections.result);
  const { commits, good } = await landedCommits(place);
  stage.say([...demoResult(stage.events), "", ...demoWords.proof(commits, good, DEMO_SIGNER), ""]);
  stage.say(code === DRAINED ? demoWords.next() : demoWords.failed(code));
  return code === DRAINED ? 0 : 1;
}

/** Where the demo's commands are run and its sections are told. */
class Stage {
  readonly #place: DemoPlace;
  readonly #terminal: Terminal;
  readonly #signal: AbortSignal;
  readonly #ledger: DemoLedger;
  #sections = 0;
  #told = 0;
  #onEvents = () => {};
  events: readonly LedgerEvent[] = [];

  constructor(place: DemoPlace, terminal: Terminal, signal: AbortSignal) {
    this.#place = place;
    this.#terminal = terminal;
    this.#signal = signal;
    this.#ledger = new DemoLedger(place, (events) => this.#tell(events));
  }

  say(lines: readonly string[]): void {
    for (const line of lines) this.#terminal.out(line);
  }

  begin(section: DemoSection): void {
    this.#sections += 1;
    const [title, ...says] = sectionLines(this.#sections, section);
    this.say(["", this.#terminal.paint.heading(title), ...says]);
  }

  /** A command that ends by itself; `unseen` are arguments that say how the demo wants to read it. */
  async koryph(args: readonly string[], ...unseen: readonly string[]) {
    this.#name(args);
    const end = await runKoryph(this.#place, { args: [...args, ...unseen], signal: this.#signal });
    if (end.code !== 0) throw UserError.of(demoWords.commandFailed(args, end.stderr));
    return end;
  }

  /** A run, told from the ledger as it goes. Returns its exit code; null when it was killed. */
  async follow(args: readonly string[], { killAt = Number.POSITIVE_INFINITY } = {}): Promise<number | null> {
    this.#name(args);
    const onLine = (kill: () => void) => {
      this.#onEvents = () => {
        if (this.#agents().length >= killAt) kill();
      };
      this.#ledger.ring();
    };
    const { code } = await runKoryph(this.#place, { args, onLine, signal: this.#signal });
    await this.#ledger.upToDate();
    return code;
  }

  livingAgents(): number {
    return this.#agents().filter(isAlive).length;
  }

  #agents(): number[] {
    return this.events.flatMap((event) => (event.type === "slot.started" ? [event.data.process.pid] : []));
  }

  #name(args: readonly string[]): void {
    this.say(["", this.#terminal.paint.faint(demoWords.command(args))]);
  }

  #tell(events: readonly LedgerEvent[]): void {
    this.events = events;
    const rows = tellRun(events);
    for (const row of rows.slice(this.#told)) this.#row(row);
    this.#told = rows.length;
    this.#onEvents();
  }

  #row(row: StoryRow): void {
    const { heading, warning, faint } = this.#terminal.paint;
    const [line, ...below] = storyLines(row);
    const face = { good: heading, bad: warning, plain: (text: string) => text }[MOOD[row.word]];
    this.say([line.replace(row.word, face(row.word)), ...below.map((each) => faint(each))]);
  }
}

const MOOD = {
  starts: "plain",
  again: "plain",
  finished: "good",
  landed: "good",
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
