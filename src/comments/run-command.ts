import type { Command, Verb } from "../core/commands/command.js";
import { includesRole, type Role } from "../core/commands/roles.js";
import { VERBS } from "../core/commands/verbs.js";
import { verbsUsed } from "../core/commands/verbs-used.js";
import { answerQuestion, beadToRelease } from "../core/control/answer-question.js";
import type { ControlCommand, ControlQuestion } from "../core/control/control-command.js";
import type { ControlFacts } from "../core/control/control-facts.js";
import { decideControl } from "../core/control/decide-control.js";
import { isRefusedByStanding, knownAsOf } from "../core/control/heard-of-engine.js";
import { awaitsEngine } from "../core/control/request-outcome.js";
import { beadOfIssue, issueOfBead } from "../core/model/bead.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import { beadOfBranch } from "../core/model/pull.js";
import type { ReleaseVerdict } from "../core/model/release.js";
import { helpRow } from "../core/replies/commands/command-help.js";
import { commentRefusals } from "../core/replies/commands/comment-refusals.js";
import { type Refused, type ReplyRow, refusedRow, rowOf } from "../core/replies/commands/reply-row.js";
import { agedRow, answerRow, decisionRow, dryRunRow } from "../core/replies/control/comment-reply.js";
import { lookingRow } from "../core/replies/land/pull/look-reply.js";
import { syncedSentence } from "../core/replies/pulls/sync-text.js";
import { LedgerError } from "../core/run/ledger/ledger-error.js";
import type { LedgerTail } from "../ports/ledger.js";
import { syncPulls } from "../pulls/sync-pulls.js";
import type { CommandParts, OpenedProject, UsableProject } from "./command-parts.js";
import { type CommandPlace, CommandRecorder, type Recorded } from "./command-recorder.js";
import { CommentCheck } from "./comment-check.js";
import { answerPullVerb, type PullCommand } from "./pull-verbs.js";
import { hex } from "./signed-event.js";

export interface CommandContext {
  readonly opened: OpenedProject;
  /** The verbs that an app may use; null for a person, who is asked about at GitHub. */
  readonly bot: readonly string[] | null;
}

/** An engine shares every half minute at least while it has something to tell, and renews its lease besides. */
const MOST_RECENT = 50;

/** Carries out the commands of one comment. */
export class CommandRunner {
  readonly #parts: CommandParts;
  readonly #job: CommentJob;
  readonly #context: CommandContext;
  readonly #comment: CommentCheck;
  readonly #recorder: CommandRecorder;
  #role: Promise<Role> | null = null;
  #bead: Promise<string | null> | null = null;

  constructor(parts: CommandParts, job: CommentJob, context: CommandContext) {
    this.#parts = parts;
    this.#job = job;
    this.#context = context;
    this.#comment = new CommentCheck(parts, job);
    this.#recorder = new CommandRecorder(parts, job, this.#comment);
  }

  async run(text: string, command: Command, place: number): Promise<ReplyRow> {
    return { ...(await this.#run(text, command, place)), verb: command.verb };
  }

  async #run(text: string, command: Command, place: number): Promise<ReplyRow> {
    const { opened } = this.#context;
    const recorded = await this.#recorder.recall(command, place, opened);
    const asked = recorded === null || this.#parts.publicMemory;
    const mayNot = asked ? await this.#mayNot(command) : null;
    if (mayNot !== null) return refusedRow(text, mayNot);
    if (opened.kind === "refuse") return refusedRow(text, opened);
    try {
      if (recorded !== null) return await this.#recorder.append(text, recorded, { opened, place });
      return await this.#carryOut(text, command, { opened, place });
    } catch (error) {
      // The rest is tried again. Also a push that was turned away: the event is on record here by then, and is shared
      // with the next one that gets through, so nobody may be told that it was refused.
      if (error instanceof LedgerError && (error.kind === "rewound" || error.kind === "read-only")) {
        this.#parts.warn(`${this.#key}: ${error.hint}`, error);
        const { ledger, readOnly } = commentRefusals;
        return refusedRow(text, (error.kind === "read-only" ? readOnly : ledger)(error.message));
      }
      throw error;
    }
  }

  async #carryOut(text: string, command: Command, at: CommandPlace): Promise<ReplyRow> {
    switch (command.verb) {
      case "help":
        return helpRow(text, command.topic);
      case "link":
      case "unlink":
        return this.#link(text, command.verb);
      case "why":
        if (command.bead === null && this.#job.thread.kind === "pull") return this.#look(text);
        return this.#answer(text, command, at.opened);
      case "status":
        return this.#answer(text, command, at.opened);
      case "hold":
      case "unhold":
      case "retry":
      case "nudge":
      case "stop":
      case "drain":
      case "resize":
        return this.#control(text, command, at);
      case "sync":
        return this.#sync(text, command, at.opened);
      case "approve":
      case "close":
      case "land":
      case "review":
      case "comment":
        return this.#onPull(text, command, at);
    }
  }

  async #mayNot(command: Command): Promise<Refused | null> {
    for (const verb of verbsUsed(command)) {
      const mayNot = await this.#mayNotUse(verb);
      if (mayNot !== null) return mayNot;
    }
    return null;
  }

  async #mayNotUse(verb: Verb): Promise<Refused | null> {
    const { bot } = this.#context;
    if (bot !== null) return bot.includes(verb) ? null : commentRefusals.botVerb(verb);
    this.#role ??= this.#parts.threads.role(this.#job.author.login);
    const [role, needed] = [await this.#role, VERBS[verb].needs];
    return includesRole(role, needed) ? null : commentRefusals.notPermitted(verb, needed, role);
  }

  async #answer(
    text: string,
    question: ControlQuestion,
    { config, ledger }: UsableProject,
  ): Promise<ReplyRow> {
    const { state } = await ledger.refresh();
    const { thread } = this.#job;
    const pull = thread.kind === "pull" ? thread.number : null;
    const known = { state, now: this.#parts.now(), own: await this.#threadBead(), pull };
    const facts = { ...known, release: await this.#releaseOf(beadToRelease(question, known), config) };
    const row = answerRow(text, answerQuestion(question, facts), config.project_id);
    return this.#withAge(row, facts, ledger);
  }

  /** Null where the project's beads are no issues, or this one is none. */
  async #releaseOf(
    bead: string | null,
    { work_source, release_label }: UsableProject["config"],
  ): Promise<ReleaseVerdict | null> {
    const issue = work_source === "github" && bead !== null ? issueOfBead(bead) : null;
    return issue === null ? null : this.#parts.threads.release(issue, release_label);
  }

  /** What keeps a pull request from landing is asked of GitHub and of its commits, which can take longer than people wait. */
  async #look(text: string): Promise<ReplyRow> {
    await this.#parts.onPull.startLook(this.#job);
    return lookingRow(text);
  }

  /** For an answer that goes by what an engine has shared, which it does now and then. */
  async #withAge(
    row: ReplyRow,
    { state, now }: Pick<ControlFacts, "state" | "now">,
    ledger: LedgerTail,
  ): Promise<ReplyRow> {
    return agedRow(row, knownAsOf(state, await ledger.recent(MOST_RECENT), now), now);
  }

  async #control(
    text: string,
    command: ControlCommand & { readonly dryRun: boolean },
    { opened, place }: CommandPlace,
  ): Promise<ReplyRow> {
    const { now } = this.#parts;
    const facts: ControlFacts = {
      state: (await opened.ledger.refresh()).state,
      ceiling: opened.config.max_concurrent_slots,
      now: now(),
      asked: Date.parse(this.#job.comment.createdAt),
      own: await this.#threadBead(),
      tracked: "unasked",
    };
    const decision = decideControl(command, facts);
    const row = decisionRow(text, decision);
    if (isRefusedByStanding(decision)) return this.#withAge(row, facts, opened.ledger);
    if (decision.kind !== "append") return row;
    if (command.dryRun) return dryRunRow(row);
    const { events, done } = decision;
    const awaited = awaitsEngine(decision);
    return this.#recorder.record(
      text,
      { kind: "append", events, done, said: row.said, awaited },
      { opened, place },
    );
  }

  async #onPull(text: string, command: PullCommand, { opened, place }: CommandPlace): Promise<ReplyRow> {
    const { state } = await opened.ledger.refresh();
    const { config } = opened;
    const { threads } = this.#parts;
    const digest = (words: string) => hex(this.#parts.digest(words));
    const facts = { job: this.#job, state, method: config.merge_method, config, threads, digest };
    const answer = await answerPullVerb(this.#parts.onPull, command, facts);
    switch (answer.kind) {
      case "refuse":
        return refusedRow(text, answer);
      case "said":
        return { ...rowOf(text), said: answer.said };
      case "record": {
        const { events, said, done, effect } = answer;
        if (command.dryRun) return dryRunRow({ ...rowOf(text), said });
        const recorded: Recorded = { kind: "append", events, done, said, awaited: !done, effect };
        return this.#recorder.record(text, recorded, { opened, place });
      }
    }
  }

  async #sync(
    text: string,
    { dryRun }: { readonly dryRun: boolean },
    { ledger }: UsableProject,
  ): Promise<ReplyRow> {
    const changed = dryRun ? null : ((await this.#comment.disowned()) ?? (await this.#comment.edited()));
    if (changed !== null) return refusedRow(text, changed);
    const synced = await syncPulls({ ledger, pulls: this.#parts.onPull.pulls }, { dryRun });
    if (!dryRun) this.#parts.onAppended();
    const row = { ...rowOf(text), said: syncedSentence(synced) };
    return dryRun ? dryRunRow(row) : row;
  }

  async #link(text: string, kind: "link" | "unlink"): Promise<ReplyRow> {
    const { linking } = this.#parts;
    const disowned = await this.#comment.disowned();
    if (disowned !== null) return refusedRow(text, disowned);
    const answer = kind === "link" ? await linking.begin(this.#job) : await linking.end(this.#job);
    return answer.kind === "refuse" ? refusedRow(text, answer) : { ...rowOf(text), said: answer.said };
  }

  /** The bead of an issue goes by its number; that of a pull request by its branch, unless that is a fork's. */
  #threadBead(): Promise<string | null> {
    this.#bead ??= this.#findBead();
    return this.#bead;
  }

  async #findBead(): Promise<string | null> {
    const { thread } = this.#job;
    if (thread.kind === "issue") return beadOfIssue(thread.number);
    const head = await this.#parts.threads.head(thread.number);
    return head && beadOfBranch(head);
  }

  get #key(): string {
    return commentKey(commentRef(this.#job));
  }
}
