import type { Command } from "../core/commands/command.js";
import { isAtLeast, type Role } from "../core/commands/roles.js";
import { VERBS } from "../core/commands/verbs.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import { type CommandPlan, isMutating, needsLedger, planCommand } from "../core/control/plan-command.js";
import type { Refused } from "../core/control/refused.js";
import { type Row, refusedRow, rowOf } from "../core/control/row.js";
import { parseBeadId } from "../core/model/bead.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import { reachRefusal } from "../core/replies/app/reach.js";
import { saidBy, talkRefusal } from "../core/replies/control/comments.js";
import type { Evidence } from "../core/run/ledger/evidence.js";
import { LedgerError } from "../core/run/ledger/ledger-error.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import { emptyState } from "../core/run/ledger/ledger-state.js";
import { ulid } from "../lib/ulid.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import type { Ledger } from "../ports/ledger.js";
import type { Threads, Writing } from "../ports/threads.js";

export type OpenedProject =
  | { readonly kind: "project"; readonly config: ProjectConfig; readonly ledger: Ledger }
  | Refused;

export type LinkAnswer = { readonly kind: "said"; readonly said: string } | Refused;

/** Tying a person's account to the App. */
export interface Linking {
  /** What to tell them: how to go on, or why it cannot be. May be asked again for the same comment. */
  begin(job: CommentJob): Promise<LinkAnswer>;
  end(job: CommentJob): Promise<LinkAnswer>;
}

export interface CommandParts {
  readonly threads: Threads;
  readonly memory: CommentMemory;
  readonly linking: Linking;
  /** SHA-256. */
  readonly digest: (text: string) => Uint8Array;
  readonly now: () => number;
  /** An event was shared. */
  readonly onAppended: () => void;
  /** Something went wrong that must not keep the answer back. */
  readonly warn: (what: string, error: unknown) => void;
}

export interface CommandContext {
  readonly opened: OpenedProject;
  /** The verbs that an app may use; null for a person, who is asked about at GitHub. */
  readonly bot: readonly string[] | null;
}

/** How old a look at the comment may be when something is changed because of it. */
const FRESH_MS = 2_000;

/** Carries out the commands of one comment. */
export class CommandRunner {
  readonly #parts: CommandParts;
  readonly #job: CommentJob;
  readonly #context: CommandContext;
  #role: Promise<Role> | null = null;
  #bead: Promise<string | null> | null = null;
  #seen: { readonly at: number; readonly writing: Writing | null } | null = null;

  constructor(parts: CommandParts, job: CommentJob, context: CommandContext) {
    this.#parts = parts;
    this.#job = job;
    this.#context = context;
  }

  async run(text: string, command: Command, place: number): Promise<Row> {
    return { ...(await this.#run(text, command, place)), verb: command.verb };
  }

  async #run(text: string, command: Command, place: number): Promise<Row> {
    const { opened } = this.#context;
    const decided = await this.#decided(place);
    const mayNot = decided === null ? await this.#mayNot(command) : null;
    if (mayNot !== null) return refusedRow(text, mayNot);
    if (opened.kind === "refuse") return refusedRow(text, opened);
    try {
      const plan = decided ?? (await this.#plan(command, opened));
      switch (plan.kind) {
        case "refuse":
          return refusedRow(text, plan);
        case "answer":
          return { ...rowOf(text), said: plan.said, more: plan.more };
        case "link":
        case "unlink":
          return await this.#link(text, plan.kind);
        case "append":
          return await this.#append(text, plan, { command, opened, place, decided: decided !== null });
      }
    } catch (error) {
      // The rest is tried again. Also a push that was turned away: the event is on record here by then, and is shared
      // with the next one that gets through, so nobody may be told that it was refused.
      if (error instanceof LedgerError && (error.kind === "rewound" || error.kind === "read-only")) {
        this.#parts.warn(`${this.#key}: ${error.hint}`, error);
        return refusedRow(text, talkRefusal.ledger(error.message));
      }
      throw error;
    }
  }

  async #mayNot({ verb }: Command): Promise<Refused | null> {
    const { bot } = this.#context;
    if (bot !== null) return bot.includes(verb) ? null : talkRefusal.botVerb(verb);
    this.#role ??= this.#parts.threads.role(this.#job.author.login);
    const [role, needed] = [await this.#role, VERBS[verb].needs];
    return isAtLeast(role, needed) ? null : talkRefusal.notPermitted(verb, needed, role);
  }

  /** What an earlier try has decided and perhaps recorded already: it stands, whatever has changed since. */
  async #decided(place: number): Promise<CommandPlan | null> {
    const decided = await this.#parts.memory.decided(this.#key, place);
    return decided === null ? null : (JSON.parse(decided) as CommandPlan);
  }

  async #plan(
    command: Command,
    { config, ledger }: Extract<OpenedProject, { kind: "project" }>,
  ): Promise<CommandPlan> {
    const asked = Date.parse(this.#job.comment.createdAt);
    const facts = { thread: commentRef(this.#job).thread, config, now: this.#parts.now(), asked };
    // What no ledger can change is answered also while git is away.
    if (!needsLedger(command)) return planCommand(command, { ...facts, bead: null, state: emptyState() });
    const { state } = await ledger.refresh();
    return planCommand(command, { ...facts, bead: await this.#threadBead(), state });
  }

  async #append(
    text: string,
    plan: Extract<CommandPlan, { kind: "append" }>,
    facts: {
      readonly command: Command;
      readonly opened: Extract<OpenedProject, { kind: "project" }>;
      readonly place: number;
      readonly decided: boolean;
    },
  ): Promise<Row> {
    const { command, opened, place, decided } = facts;
    if (isMutating(command) && command.dryRun)
      return { ...rowOf(text), result: "dry-run", said: saidBy.wouldBe(plan.said) };
    if (!decided) {
      const { memory, now } = this.#parts;
      const changed = (await this.#disowned()) ?? (await this.#edited());
      if (changed !== null) return refusedRow(text, changed);
      await memory.decide(this.#key, place, JSON.stringify(plan), now());
    }
    await opened.ledger.observe([this.#signed(plan.event, place)]);
    await opened.ledger.share("now");
    this.#parts.onAppended();
    return { ...rowOf(text), result: plan.done ? "done" : "queued", said: plan.said };
  }

  /** The comment as it is, or was a moment ago: several commands of one comment are carried out in one go. */
  async #writing(): Promise<Writing | null> {
    const { threads, now } = this.#parts;
    if (this.#seen === null || now() - this.#seen.at > FRESH_MS) {
      const at = now();
      this.#seen = { at, writing: await threads.read(commentRef(this.#job)) };
    }
    return this.#seen.writing;
  }

  /** Whoever knows the webhook secret can say that anybody wrote a comment; GitHub knows who did. */
  async #disowned(): Promise<Refused | null> {
    const writing = await this.#writing();
    if (writing === null) return talkRefusal.deleted();
    const { author, viaApp } = this.#job;
    const { id, login } = author;
    // Both: what somebody may do is asked for by the name, and a number that fits would vouch for any.
    const same = writing.author.id === id && writing.author.login.toLowerCase() === login.toLowerCase();
    return same && writing.viaApp === viaApp ? null : reachRefusal.authorMismatch();
  }

  async #edited(): Promise<Refused | null> {
    return (await this.#writing())?.body === this.#job.comment.body ? null : talkRefusal.edited();
  }

  async #link(text: string, kind: "link" | "unlink"): Promise<Row> {
    const { linking } = this.#parts;
    const disowned = await this.#disowned();
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
    if (thread.kind === "issue") return `gh-${thread.number}`;
    const head = await this.#parts.threads.head(thread.number);
    if (head === null || head.fork || !head.branch.startsWith("agent/")) return null;
    return parseBeadId(head.branch.slice("agent/".length));
  }

  get #key(): string {
    return commentKey(commentRef(this.#job));
  }

  /** In the name of whoever wrote the comment, with the comment as evidence. Its id is the same whenever it is written. */
  #signed(event: NewEvent, place: number): NewEvent {
    const { comment, author } = this.#job;
    const { digest } = this.#parts;
    const evidence: Evidence = {
      url: comment.url,
      source: `${comment.kind} ${comment.id}`,
      body_sha256: hex(digest(comment.body)),
      login: author.login,
      user_id: author.id,
    };
    const at = Date.parse(comment.createdAt);
    const id = ulid(Number.isNaN(at) ? 0 : at, digest(`${this.#key} ${place}`));
    return { ...event, id, actor: `@${author.login}`, evidence };
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
