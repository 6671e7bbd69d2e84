import { join } from "node:path";
import { type Bead, isClosed } from "../../core/model/bead.js";
import { type ClaimAnswer, checkCommentKey, judgeClaim } from "../../core/model/claim.js";
import { redactText } from "../../core/redact.js";
import { workAdvice } from "../../core/replies/config/work.js";
import { workFileAdvice } from "../../core/replies/config/work-file.js";
import { descendantsOf, frontierOf } from "../../core/schedule/work-graph.js";
import { withElement } from "../../lib/json-members.js";
import { UserError } from "../../lib/user-error.js";
import type { WorkSource } from "../../ports/work-source.js";
import { readRegularFile } from "../project/read-regular-file.js";
import { refuseTracked, WORK_FILE, workFileVersion } from "./plain-work-file.js";
import { readWorkFile } from "./read-work-file.js";
import { type BeadLine, changeBead, type LineChange } from "./work-file-writer.js";

export { WORK_FILE };

/** What a version of the file says. */
interface Reading {
  readonly version: string;
  readonly beads: readonly Bead[];
  readonly ready: readonly Bead[];
}

/** Beads from a file in the operator's checkout: one per line, in the shape `bd export` writes. */
export class FileSource implements WorkSource {
  readonly #root: string;
  readonly #path: string;
  #read: Reading | null = null;

  constructor(root: string) {
    this.#root = root;
    this.#path = join(root, WORK_FILE);
  }

  async all(): Promise<readonly Bead[]> {
    return (await this.#current()).beads;
  }

  async ready({ parent }: { readonly parent?: string } = {}): Promise<readonly Bead[]> {
    const { beads, ready } = await this.#current();
    if (parent === undefined) return ready;
    const below = new Set(descendantsOf(parent, beads));
    return ready.filter((bead) => below.has(bead));
  }

  async get(id: string): Promise<Bead | null> {
    return (await this.all()).find((bead) => bead.id === id) ?? null;
  }

  async children(id: string): Promise<readonly Bead[]> {
    return (await this.all()).filter((bead) => bead.parent === id);
  }

  async claim(id: string, who: string): Promise<ClaimAnswer> {
    const answer = await this.#change<ClaimAnswer>(id, (line) => {
      const verdict = judgeClaim(line.bead, who);
      if (verdict !== "free") return { set: {}, answer: verdict };
      return {
        set: { status: json("in_progress"), assignee: json(who), ...touched(line) },
        answer: "claimed",
      };
    });
    return answer ?? "gone";
  }

  async release(id: string): Promise<void> {
    await this.#change(id, (line) => {
      if (line.bead.status !== "in_progress") return { set: {}, answer: null };
      return { set: { status: json("open"), assignee: json(""), ...touched(line) }, answer: null };
    });
  }

  async close(id: string, reason: string): Promise<"closed" | "gone"> {
    const answer = await this.#change<"closed">(id, (line) => {
      if (isClosed(line.bead)) return { set: {}, answer: "closed" };
      // The tracker refuses to import a closed bead without the time of its closing.
      const closing = {
        status: json("closed"),
        close_reason: json(redactText(reason)),
        closed_at: json(now()),
      };
      return { set: { ...closing, ...touched(line) }, answer: "closed" };
    });
    return answer ?? "gone";
  }

  async comment(id: string, text: string, key: string): Promise<"added" | "gone"> {
    checkCommentKey(key);
    const answer = await this.#change<"added">(id, (line) => {
      const comments = line.field("comments") ?? "[]";
      const list = comments === "null" ? "[]" : comments;
      const known: unknown = JSON.parse(list);
      if (!Array.isArray(known)) throw UserError.of(workFileAdvice.commentsNoList(this.#path, line.bead.id));
      if (known.some((each: { key?: unknown } | null) => each?.key === key))
        return { set: {}, answer: "added" };
      const comment = json({ author: "koryph", text: redactText(text), created_at: now(), key });
      return { set: { comments: withElement(list, comment), ...touched(line) }, answer: "added" };
    });
    return answer ?? "gone";
  }

  async #change<T>(id: string, decide: (line: BeadLine) => LineChange<T>): Promise<T | null> {
    workFileVersion(this.#root);
    await refuseTracked(this.#root);
    return changeBead(this.#root, id, decide);
  }

  async #current(): Promise<Reading> {
    const version = workFileVersion(this.#root);
    if (this.#read?.version !== version) {
      const beads = await this.#load();
      this.#read = { version, beads, ready: frontierOf(beads) };
    }
    return this.#read;
  }

  async #load(): Promise<readonly Bead[]> {
    await refuseTracked(this.#root);
    const reading = readWorkFile(await this.#text());
    if ("problems" in reading) throw UserError.of(workAdvice.malformed(this.#path, reading.problems));
    return reading.beads;
  }

  async #text(): Promise<string> {
    try {
      return await readRegularFile(this.#path);
    } catch (error) {
      throw UserError.of(workAdvice.unreadable(this.#path, (error as Error).message));
    }
  }
}

/** Kept true where the line says it; a line written by hand is not made longer. */
function touched(line: BeadLine): Record<string, string> {
  return line.field("updated_at") === null ? {} : { updated_at: json(now()) };
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function now(): string {
  return new Date().toISOString();
}
