import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBead } from "../../core/config/bead-record.js";
import { readJson } from "../../core/config/read-json.js";
import { type Bead, isClosed } from "../../core/model/bead.js";
import { type ClaimAnswer, checkCommentKey, judgeClaim } from "../../core/model/claim.js";
import { redactText } from "../../core/redact.js";
import { workAdvice } from "../../core/replies/config/work.js";
import { UserError } from "../../lib/user-error.js";
import type { WorkSource } from "../../ports/work-source.js";
import { BdMemory } from "./bd-memory.js";
import { bdCommand, errorIn, runBd } from "./run-bd.js";

export interface BdSettings {
  readonly readSeconds?: number;
  readonly writeSeconds?: number;
  /** A clock that is never set, in ms. */
  readonly now?: () => number;
}

const READ_TIMEOUT_SECONDS = 45;
const WRITE_TIMEOUT_SECONDS = 120;
const AUTHOR = "koryph";

/**
 * Beads from the `bd` tracker through its command line. Names and texts go in as `--flag=value`, in a file
 * or after `--`, so that none can be read as an option. Its exit code is not believed after a write: some
 * versions end with 0 when they refuse, others fail when there was nothing left to do. What bd shows
 * of the bead decides. It is asked as seldom as can be: each call takes a good part of a second.
 */
export class BdSource implements WorkSource {
  readonly #root: string;
  readonly #readSeconds: number;
  readonly #writeSeconds: number;
  readonly #memory: BdMemory;

  constructor(root: string, settings: BdSettings = {}) {
    this.#root = root;
    this.#readSeconds = settings.readSeconds ?? READ_TIMEOUT_SECONDS;
    this.#writeSeconds = settings.writeSeconds ?? WRITE_TIMEOUT_SECONDS;
    this.#memory = new BdMemory(settings.now ?? (() => performance.now()));
  }

  async all(): Promise<readonly Bead[]> {
    const known = this.#memory.all();
    if (known !== null) return known;
    const beads = await this.#beads(["list", "--all", "--json", "--limit", "0"]);
    this.#memory.listed(beads);
    return beads;
  }

  async ready({ parent }: { readonly parent?: string } = {}): Promise<readonly Bead[]> {
    const known = this.#memory.ready(parent ?? "");
    if (known !== null) return known;
    const below = parent === undefined ? [] : [`--parent=${parent}`];
    const beads = await this.#beads(["ready", "--json", "--limit", "0", ...below]);
    this.#memory.foundReady(parent ?? "", beads);
    return beads;
  }

  async get(id: string): Promise<Bead | null> {
    return this.#memory.recent(id) ?? this.#now(id);
  }

  async children(id: string): Promise<readonly Bead[]> {
    // bd's own listing of children leaves closed ones out.
    return (await this.all()).filter((bead) => bead.parent === id);
  }

  async claim(id: string, who: string): Promise<ClaimAnswer> {
    const answer = await this.#claim(id, who);
    if (answer === "claimed") this.#memory.hasClaimed(id, who);
    return answer;
  }

  async #claim(id: string, who: string): Promise<ClaimAnswer> {
    const before = judgeClaim(await this.get(id), who);
    if (before !== "free") return before;
    const args = ["update", "--claim", `--actor=${who}`, "--json", "--", id];
    const { failure, after } = await this.#change(id, args, (bead) => judgeClaim(bead, who) === "claimed");
    const verdict = judgeClaim(after, who);
    if (verdict !== "free") return verdict;
    // Open, but promised to somebody: bd does not let others claim it.
    if (after !== null && after.assignee !== "" && after.assignee !== who) return "taken";
    throw refused(args, failure);
  }

  async release(id: string): Promise<void> {
    const before = await this.get(id);
    if (before?.status !== "in_progress") return;
    // bd lets only the holder give a claim back.
    const args = [
      "update",
      "--status=open",
      "--assignee=",
      `--actor=${actorFor(before)}`,
      "--json",
      "--",
      id,
    ];
    const { failure, after } = await this.#change(id, args, ({ status }) => status === "open");
    if (after?.status === "in_progress") throw refused(args, failure);
  }

  async close(id: string, reason: string): Promise<"closed" | "gone"> {
    const before = this.#memory.claimed(id) ?? (await this.get(id));
    if (before === null) return "gone";
    if (isClosed(before)) return "closed";
    // bd lets only the holder close a claimed bead; forcing it would also waive open children and blockers.
    const args = ["close", `--reason=${clean(reason)}`, `--actor=${actorFor(before)}`, "--json", "--", id];
    const { failure, after } = await this.#change(id, args, isClosed);
    if (after === null) return "gone";
    if (!isClosed(after)) throw refused(args, failure);
    return "closed";
  }

  async comment(id: string, text: string, key: string): Promise<"added" | "gone"> {
    const mark = `<!-- koryph:${checkCommentKey(key)} -->`;
    // bd takes an abbreviated id, and we do not.
    if ((this.#memory.all() ?? []).every((bead) => bead.id !== id) && (await this.#now(id)) === null)
      return "gone";
    if (await this.#hasComment(id, mark)) return "added";
    return withTextFile<"added">(`${clean(text)}\n\n${mark}\n`, async (file) => {
      const args = ["comments", "add", `--author=${AUTHOR}`, `--file=${file}`, "--json", "--", id];
      const { failure } = await this.#write(args);
      if (failure !== null && !(await this.#hasComment(id, mark))) throw refused(args, failure);
      return "added";
    });
  }

  async #hasComment(id: string, mark: string): Promise<boolean> {
    const comments = await this.#records(["comments", "--json", "--", id]);
    return comments.some((comment) => {
      const text = (comment as { text?: unknown } | null)?.text;
      return typeof text === "string" && text.trimEnd().endsWith(mark);
    });
  }

  /** The bead as it is now. Null when there is none: bd takes an abbreviated id for the one bead it fits, and we do not. */
  async #now(id: string): Promise<Bead | null> {
    const found = await this.#beads(["list", "--all", "--json", "--limit", "0", `--id=${id}`]);
    return found.find((bead) => bead.id === id) ?? null;
  }

  async #beads(args: readonly string[]): Promise<Bead[]> {
    const beads = new Map<string, Bead>();
    for (const record of await this.#records(args)) {
      const reading = readBead(record);
      if (reading.kind === "wrong") throw refused(args, `a bead it lists is malformed: ${reading.reason}`);
      if (reading.kind === "other") continue;
      const { bead } = reading;
      if (beads.has(bead.id)) throw refused(args, `it lists bead ${bead.id} twice`);
      beads.set(bead.id, bead);
    }
    return [...beads.values()];
  }

  async #records(args: readonly string[]): Promise<readonly unknown[]> {
    const answer = await runBd({ root: this.#root, args, timeoutSeconds: this.#readSeconds });
    if (answer.failure !== null) throw refused(args, answer.failure);
    const json = readJson(answer.stdout);
    if (json.kind === "not-json") throw refused(args, `its answer is not JSON: ${json.problem}`);
    const error = errorIn(json.data);
    if (error !== null) throw refused(args, error);
    return records(json.data);
  }

  /**
   * What the bead is after a write. The write's own answer counts when it shows what was wanted of this very bead;
   * whatever else it says, bd is asked how the bead is now.
   */
  async #change(
    id: string,
    args: readonly string[],
    isWanted: (bead: Bead) => boolean,
  ): Promise<{ failure: string | null; after: Bead | null }> {
    const { stdout, failure } = await this.#write(args);
    const shown = failure === null ? shownIn(stdout, id) : null;
    const after = shown !== null && isWanted(shown) ? shown : await this.#now(id);
    if (after !== null) this.#memory.changed(id, after);
    return { failure, after };
  }

  #write(args: readonly string[]) {
    return runBd({ root: this.#root, args, timeoutSeconds: this.#writeSeconds });
  }
}

/** The bead of this id in the answer to a write; null when there is none that can be read. */
function shownIn(stdout: string, id: string): Bead | null {
  const json = readJson(stdout);
  if (json.kind === "not-json" || json.data === null || errorIn(json.data) !== null) return null;
  for (const record of records(json.data)) {
    const reading = readBead(record);
    if (reading.kind === "bead" && reading.bead.id === id) return reading.bead;
  }
  return null;
}

/** A bare list, `{"issues": […]}` or `{"issue": {…}}`, depending on command and version; a null list is empty. */
function records(data: unknown): readonly unknown[] {
  if (data === null) return [];
  if (Array.isArray(data)) return data;
  const { issues, issue } = data as { issues?: unknown; issue?: unknown };
  if (Array.isArray(issues)) return issues;
  if (issues === null) return [];
  return issue === undefined ? [data] : [issue];
}

function refused(args: readonly string[], failure: string | null): UserError {
  const problem = failure ?? "it reported success, and bd shows the bead unchanged";
  return UserError.of(workAdvice.bdFailed(bdCommand(args), problem));
}

function actorFor({ assignee }: Bead): string {
  return assignee === "" ? AUTHOR : assignee;
}

/** Without secrets, and without the one character that no argument can carry. */
function clean(text: string): string {
  return redactText(text.replaceAll("\0", ""));
}

/** A file for one program to read a text from, there only while `action` runs, for this user's eyes only. */
async function withTextFile<T>(text: string, action: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "koryph-text-")).catch((error: Error) => {
    throw UserError.of(workAdvice.noTemp(tmpdir(), error.message));
  });
  try {
    const file = join(folder, "text.md");
    await writeFile(file, text, { mode: 0o600 });
    return await action(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
