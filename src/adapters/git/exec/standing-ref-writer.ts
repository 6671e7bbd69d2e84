import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { gitEnvironment } from "./git-environment.js";

/** A writer that nobody needs goes: there is one for each repository that was written to lately. */
const IDLE_MS = 5_000;
const DONE = "start: ok\ncommit: ok\n";

const writers = new Map<string, StandingRefWriter>();

/**
 * Moves refs of one of koryph's own repositories, all or none, by a git that stays for the next move: starting one
 * costs many times what the move does. `updates` are lines of `git update-ref --stdin`. False says nothing about the
 * refs: one may have been moved by others, or be locked, or git ended, before or after the move. Look at them then.
 */
export function moveRefsStanding(gitDir: string, updates: string): Promise<boolean> {
  const writer = writers.get(gitDir) ?? new StandingRefWriter(gitDir);
  writers.set(gitDir, writer);
  return writer.move(updates);
}

/** Those that have nothing to do go at once. */
export function endStandingWriters(): void {
  for (const writer of writers.values()) writer.end();
}

class StandingRefWriter {
  readonly #gitDir: string;
  readonly #git: ChildProcess;
  /** Those who wait for an answer: git gives them in the order it was asked. */
  readonly #waiting: ((moved: boolean) => void)[] = [];
  #heard = "";
  #idle: NodeJS.Timeout | undefined;

  constructor(gitDir: string) {
    this.#gitDir = gitDir;
    const args = [`--git-dir=${gitDir}`, "--no-replace-objects", "update-ref", "--stdin"];
    this.#git = spawn("git", args, {
      cwd: gitDir,
      env: gitEnvironment(),
      stdio: ["pipe", "pipe", "ignore"],
    });
    const end = () => {
      this.#forget();
      for (const answer of this.#waiting.splice(0)) answer(false);
    };
    this.#git.once("error", end);
    this.#git.once("close", end);
    // It may have ended already; that it did is told above.
    this.#git.stdin?.on("error", () => {});
    this.#git.stdout?.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
  }

  move(updates: string): Promise<boolean> {
    clearTimeout(this.#idle);
    this.#keepProcess(true);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      // In one piece: a git that waited for the rest would hold its locks meanwhile, and leave them when it is killed.
      this.#git.stdin?.write(`start\n${updates}commit\n`);
    });
  }

  #hear(text: string): void {
    this.#heard += text;
    while (this.#heard.startsWith(DONE)) {
      this.#heard = this.#heard.slice(DONE.length);
      this.#waiting.shift()?.(true);
    }
    if (this.#waiting.length > 0) return;
    this.#keepProcess(false);
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  end(): void {
    if (this.#waiting.length > 0) return;
    this.#forget();
    this.#git.stdin?.end();
  }

  /** Whether this process must not end before git has answered. Git ends with us: its input does. */
  #keepProcess(wanted: boolean): void {
    for (const part of [this.#git, this.#git.stdin as Socket, this.#git.stdout as Socket])
      wanted ? part.ref() : part.unref();
  }

  #forget(): void {
    clearTimeout(this.#idle);
    if (writers.get(this.#gitDir) === this) writers.delete(this.#gitDir);
  }
}
