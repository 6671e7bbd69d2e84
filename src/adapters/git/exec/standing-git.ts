import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/** One that nobody needs goes: there is one for each command and repository that was used lately. */
const IDLE_MS = 5_000;

const standing = new Map<string, StandingGit>();

export interface StandingFacts {
  readonly gitDir: string;
  /** A command that answers what it reads, line by line. */
  readonly args: readonly string[];
  readonly env: () => NodeJS.ProcessEnv;
  /** How its answers are read; UTF-8 unless this says otherwise. */
  readonly encoding?: "utf8" | "latin1";
}

/** Takes the answer from the beginning of what git has said; null as long as there is more to come. */
export type Reading<Answer> = (heard: string) => { readonly answer: Answer; readonly rest: string } | null;

/**
 * Asks a git that stays for the next question: starting one costs many times what it takes to answer. Only for koryph's
 * own repositories. Null when git ended before it had answered; what it did until then is for the caller to find out.
 */
export function askStanding<Answer>(
  facts: StandingFacts,
  question: string,
  reading: Reading<Answer>,
): Promise<Answer | null> {
  const key = [facts.gitDir, ...facts.args].join("\0");
  const found = standing.get(key) ?? new StandingGit(key, facts);
  standing.set(key, found);
  return found.ask(question, reading);
}

/** Those that have nothing to do go at once. */
export function endStandingGits(): void {
  for (const git of standing.values()) git.end();
}

interface Waiting {
  /** Whether the answer was there; what is left was said to the next in line. */
  take(heard: string): string | null;
  giveUp(): void;
}

class StandingGit {
  readonly #key: string;
  readonly #git: ChildProcess;
  /** Those who wait for an answer: git gives them in the order it was asked. */
  readonly #waiting: Waiting[] = [];
  #heard = "";
  #idle: NodeJS.Timeout | undefined;

  constructor(key: string, { gitDir, args, env, encoding = "utf8" }: StandingFacts) {
    this.#key = key;
    this.#git = spawn("git", args, { cwd: gitDir, env: env(), stdio: ["pipe", "pipe", "ignore"] });
    const ended = () => {
      this.#forget();
      for (const each of this.#waiting.splice(0)) each.giveUp();
    };
    this.#git.once("error", ended);
    this.#git.once("close", ended);
    // It may have ended already; that it did is told above.
    this.#git.stdin?.on("error", () => {});
    this.#git.stdout?.setEncoding(encoding).on("data", (text: string) => this.#hear(text));
  }

  ask<Answer>(question: string, reading: Reading<Answer>): Promise<Answer | null> {
    clearTimeout(this.#idle);
    this.#keepProcess(true);
    return new Promise((resolve) => {
      this.#waiting.push({
        take(heard) {
          const read = reading(heard);
          if (read === null) return null;
          resolve(read.answer);
          return read.rest;
        },
        giveUp: () => resolve(null),
      });
      // In one piece: a git that waited for the rest of it would hold its locks meanwhile, and leave them when killed.
      this.#git.stdin?.write(question);
    });
  }

  end(): void {
    if (this.#waiting.length > 0) return;
    this.#forget();
    this.#git.stdin?.end();
  }

  #hear(text: string): void {
    this.#heard += text;
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined) break;
      const rest = first.take(this.#heard);
      if (rest === null) return;
      this.#heard = rest;
      this.#waiting.shift();
    }
    this.#keepProcess(false);
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  /** Whether this process must not end before git has answered. Git ends with us: its input does. */
  #keepProcess(wanted: boolean): void {
    for (const part of [this.#git, this.#git.stdin as Socket, this.#git.stdout as Socket])
      wanted ? part.ref() : part.unref();
  }

  #forget(): void {
    clearTimeout(this.#idle);
    if (standing.get(this.#key) === this) standing.delete(this.#key);
  }
}
