import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Bead } from "../../core/model/bead.js";
import { workAdvice } from "../../core/replies/work.js";
import { descendantsOf, frontierOf } from "../../core/schedule/work-graph.js";
import { UserError } from "../../lib/user-error.js";
import type { WorkSource } from "../../ports/work-source.js";
import { runGit } from "../git/run-git.js";
import { readWorkFile } from "./read-work-file.js";

export const WORK_FILE = ".koryph/beads.jsonl";

/** Beads from a file in the operator's checkout: one per line, in the shape `bd export` writes. */
export class FileSource implements WorkSource {
  readonly #path: string;
  #read: { readonly version: string; readonly beads: readonly Bead[] } | null = null;

  constructor(root: string) {
    this.#path = join(root, WORK_FILE);
  }

  async all(): Promise<readonly Bead[]> {
    const version = await this.#version();
    if (this.#read?.version !== version) this.#read = { version, beads: await this.#load() };
    return this.#read.beads;
  }

  async ready({ parent }: { readonly parent?: string } = {}): Promise<readonly Bead[]> {
    const beads = await this.all();
    const ready = frontierOf(beads);
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

  async #load(): Promise<readonly Bead[]> {
    await this.#refuseTracked();
    const reading = readWorkFile(await readFile(this.#path, "utf8"));
    if ("problems" in reading) throw UserError.of(workAdvice.malformed(this.#path, reading.problems));
    return reading.beads;
  }

  /** Changes whenever the file does; a rewrite by rename changes the inode even within one clock tick. */
  async #version(): Promise<string> {
    try {
      const { ino, size, mtimeNs, ctimeNs } = await stat(this.#path, { bigint: true });
      return [ino, size, mtimeNs, ctimeNs].join(":");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT")
        throw UserError.of(workAdvice.absent(this.#path));
      throw UserError.of(workAdvice.unreadable(this.#path, (error as Error).message));
    }
  }

  /** A tracked work file could be changed by the very branches it asks for. */
  async #refuseTracked(): Promise<void> {
    const tracked = await runGit(dirname(this.#path), ["ls-files", "--", this.#path]);
    // Outside a repository git fails, and nothing is tracked.
    if (tracked.code === 0 && tracked.stdout !== "")
      throw UserError.of(workAdvice.tracked(this.#path, WORK_FILE));
  }
}
