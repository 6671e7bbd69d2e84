import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readJson } from "../../core/config/read-json.js";
import { GovernorState, NEW_GOVERNOR } from "../../core/govern/governor-state.js";
import { PLAINLY } from "../../core/model/plainly.js";
import { governorAdvice } from "../../core/replies/govern/governor.js";
import { UserError } from "../../lib/user-error.js";
import { replaceFile } from "../files/replace-file.js";
import { type KoryphHome, makeFolder } from "../home/koryph-home.js";
import { withLock } from "../home/lock-file.js";

export type GovernorReading =
  | { readonly kind: "read"; readonly state: GovernorState; readonly text: string | null }
  /** `backup` has what was found, for whoever removes the file. */
  | { readonly kind: "unreadable"; readonly file: string; readonly problem: string; readonly backup: string };

/** What a change comes to: the state to keep, and what whoever asked is told. */
export interface Changed<T> {
  readonly state: GovernorState;
  readonly answer: T;
}

/** One file for all engines of the machine. Each change reads it, decides and writes, with nobody else in between. */
export class GovernorFile {
  readonly #file: string;
  readonly #lock: string;
  readonly #waitSeconds: number;
  /** What it held when it was last understood: engines look at it at every tick, and it seldom changes. */
  #last: { readonly text: string; readonly state: GovernorState } | null = null;

  constructor({ governor: { file, lock } }: KoryphHome, { waitSeconds = 10 } = {}) {
    this.#file = file;
    this.#lock = lock;
    this.#waitSeconds = waitSeconds;
  }

  /** As it was last written; a machine on which nothing was ever started where there is no file. */
  async read(): Promise<GovernorReading> {
    const text = await this.#text();
    const reading = text === null ? { state: NEW_GOVERNOR } : this.#parsed(text);
    if ("state" in reading) return { kind: "read", state: reading.state, text };
    const backup = `${this.#file}.unreadable`;
    // A disk that does not take it keeps nobody from reading.
    await writeFile(backup, text ?? "", { mode: 0o600 }).catch(() => {});
    return { kind: "unreadable", file: this.#file, problem: reading.problem, backup };
  }

  /** Throws a `UserError` when the file cannot be read: whoever wrote over it would forget who has which place. */
  async change<T>(decide: (state: GovernorState) => Changed<T>): Promise<T> {
    return this.#explained(() => this.#change(decide));
  }

  async #change<T>(decide: (state: GovernorState) => Changed<T>): Promise<T> {
    await makeFolder(dirname(this.#file));
    const lock = { what: "the record of agents' places", waitSeconds: this.#waitSeconds };
    return withLock(this.#lock, lock, async () => {
      const reading = await this.read();
      if (reading.kind === "unreadable") throw UserError.of(governorAdvice.unreadable(reading));
      const { state, answer } = decide(reading.state);
      const text = `${JSON.stringify(state, null, 2)}\n`;
      if (text !== reading.text) await replaceFile(this.#file, text, { mode: 0o600 });
      return answer;
    });
  }

  #parsed(text: string): ReturnType<typeof parse> {
    if (this.#last?.text === text) return this.#last;
    const reading = parse(text);
    if ("state" in reading) this.#last = { text, state: reading.state };
    return reading;
  }

  #text(): Promise<string | null> {
    return this.#explained(async () => {
      try {
        return readFileSync(this.#file, "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    });
  }

  /** What the system refuses is the operator's to put right. */
  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw UserError.of(governorAdvice.unwritable(this.#file, message));
    }
  }
}

function parse(text: string): { state: GovernorState } | { problem: string } {
  const json = readJson(text);
  if (json.kind === "not-json") return { problem: json.problem };
  const parsed = GovernorState.safeParse(json.data, PLAINLY);
  if (parsed.success) return { state: parsed.data };
  const [issue] = parsed.error.issues;
  return { problem: `${issue?.path.join(".") || "the file"}: ${issue?.message ?? "not understood"}` };
}
