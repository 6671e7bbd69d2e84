import { constants } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { readAgentStatus } from "../../core/config/agent-status.js";
import type { ReportKind } from "../../core/replies/refusal-report.js";
import { homeFolders } from "../../core/runtimes/agent-environment.js";
import type { LaunchSpec } from "../../ports/agent-runtime.js";
import type { LaunchRecord, SlotFolders, SlotPlace } from "../../ports/slot-folders.js";
import { writeAtomically } from "../files/write-atomically.js";
import { removeFolder } from "../git/remove-folder.js";
import { readIfThere, SLOT_FILES } from "../process/slot-files.js";
import { type KoryphHome, makeFolder } from "./koryph-home.js";

const FILES = { prompt: "prompt.md", launch: "launch.json", prepared: "prepared.json" } as const;
/** A chunk of output read at once; a line may be longer than one. */
const CHUNK_BYTES = 1024 * 1024;
const ERROR_TAIL_BYTES = 4096;
/** More than any status needs; an agent that writes more is not read. */
const AGENT_FILE_BYTES = 64 * 1024;
const INBOX_BYTES = 1024 * 1024;
/** So many of a landing's letters tell it from the bead's other ones. */
const GATE_NAME = 8;

const Prepared = z.object({ conflict: z.boolean() });
/** Written by ourselves and read back after a crash; only its shape is checked. */
const Launch = z.object({
  runtime: z.string(),
  probe: z.object({ binary: z.string(), version: z.string() }),
  spec: z.looseObject({}),
});

/** The files of attempts below `runs/<run>/<bead>/<attempt>/`. */
export class RunFolders implements SlotFolders {
  readonly #home: KoryphHome;
  readonly #project: string;

  constructor(home: KoryphHome, project: string) {
    this.#home = home;
    this.#project = project;
  }

  folder({ run, bead, attempt }: SlotPlace): string {
    return this.#home.runFolder(this.#project, run, bead, attempt);
  }

  /** One for all attempts of a run: messages in the inbox are for the bead, whoever works on it. */
  agentFolder(place: SlotPlace): string {
    return join(this.folder(place), "..", "agent");
  }

  /** One for all attempts: a worker's session is found again only in the home it was made in. */
  home(place: SlotPlace, role: LaunchSpec["role"] = "worker"): string {
    if (role === "reviewer") return join(this.folder(place), "home");
    return this.#home.agentHome(this.#project, place.bead);
  }

  async readPrepared(place: SlotPlace): Promise<{ conflict: boolean } | null> {
    return this.#read(place, FILES.prepared, Prepared);
  }

  async markPrepared(place: SlotPlace, conflict: boolean): Promise<void> {
    await makeFolder(this.folder(place));
    await writeAtomically(join(this.folder(place), FILES.prepared), JSON.stringify({ conflict }));
  }

  async writeLaunch(
    place: SlotPlace,
    prompt: string,
    record: LaunchRecord,
    files: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const folder = await makeFolder(this.folder(place));
    for (const path of [this.agentFolder(place), ...homeFolders(record.spec.home)]) await makeFolder(path);
    for (const [path, text] of Object.entries(files)) {
      await makeFolder(dirname(path));
      await writeAtomically(path, text);
    }
    // What an earlier attempt said of itself is not what this one says.
    await rm(join(this.agentFolder(place), "status.json"), { force: true });
    const path = join(folder, FILES.prompt);
    await writeAtomically(path, prompt);
    await writeAtomically(join(folder, FILES.launch), JSON.stringify(record));
    return path;
  }

  async readLaunch(place: SlotPlace): Promise<LaunchRecord | null> {
    return (await this.#read(place, FILES.launch, Launch)) as LaunchRecord | null;
  }

  async readOutput(
    place: SlotPlace,
    from: number,
    ended = false,
  ): Promise<{ lines: readonly string[]; next: number }> {
    const text = await readBytes(join(this.folder(place), SLOT_FILES.output), from, CHUNK_BYTES);
    const end = text.lastIndexOf(0x0a) + 1;
    // A line longer than a chunk is passed over in pieces that no parser understands; nothing of ours is so long.
    // Nothing more comes from an agent that has ended: what it wrote last counts without the end of its line.
    const rest = text.length === CHUNK_BYTES || (ended && text.length > 0) ? text.length : 0;
    const whole = ended && text.length < CHUNK_BYTES ? rest : end > 0 ? end : rest;
    return {
      lines: text
        .subarray(0, whole)
        .toString("utf8")
        .split("\n")
        .filter((line) => line !== ""),
      next: from + whole,
    };
  }

  async readErrors(place: SlotPlace): Promise<string> {
    const path = join(this.folder(place), SLOT_FILES.errors);
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    const from = Math.max(0, size - ERROR_TAIL_BYTES);
    return (await readBytes(path, from, ERROR_TAIL_BYTES)).toString("utf8");
  }

  async readStatus(place: SlotPlace): Promise<{ state: string; note: string } | null> {
    // Written by the agent: a link would have us read something else, a pipe would have us wait for ever.
    const path = join(this.agentFolder(place), "status.json");
    const bytes = await readPlainFile(path, AGENT_FILE_BYTES);
    return bytes === null ? null : readAgentStatus(bytes.toString("utf8"));
  }

  async writeReport(place: SlotPlace, kind: ReportKind, text: string): Promise<void> {
    const folder = await makeFolder(this.folder(place));
    await writeAtomically(join(folder, `report-${kind}.md`), text);
  }

  async readReport(place: SlotPlace, kind: ReportKind): Promise<string | null> {
    return readIfThere(join(this.folder(place), `report-${kind}.md`));
  }

  async writeReview(place: SlotPlace, review: object): Promise<void> {
    const folder = await makeFolder(this.folder(place));
    await writeAtomically(join(folder, "review.json"), `${JSON.stringify(review, null, 2)}\n`);
  }

  async openGate(bead: string, landing: string): Promise<string> {
    const folder = await makeFolder(this.#home.gateFolder(this.#project, bead));
    const name = landing.slice(-GATE_NAME);
    for (const other of await readdir(folder)) if (other !== name) await removeFolder(join(folder, other));
    return join(folder, name);
  }

  dropGates(bead: string): Promise<void> {
    return removeFolder(this.#home.gateFolder(this.#project, bead));
  }

  async writeManifest(place: SlotPlace, manifest: object): Promise<void> {
    const folder = await makeFolder(join(this.folder(place), ".."));
    await writeAtomically(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  }

  async deliver(place: SlotPlace, key: string, text: string): Promise<void> {
    const folder = await makeFolder(this.agentFolder(place));
    const path = join(folder, "INBOX.md");
    const mark = `<!-- ${key} -->`;
    // The agent could have put a link or a pipe there. Replaced as a whole, whatever it was is left alone.
    const there = (await readPlainFile(path, INBOX_BYTES))?.toString("utf8") ?? "";
    if (there.includes(mark)) return;
    await writeAtomically(path, `${there}${mark}\n${text.trim()}\n\n`, 0o400);
  }

  async #read<T>(place: SlotPlace, name: string, schema: z.ZodType<T>): Promise<T | null> {
    const text = await readIfThere(join(this.folder(place), name));
    if (text === null) return null;
    try {
      return schema.safeParse(JSON.parse(text)).data ?? null;
    } catch {
      return null;
    }
  }
}

/** Empty unless it is an ordinary file: opening a pipe would wait for ever. */
async function readBytes(path: string, from: number, length: number): Promise<Buffer> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (file === null) return Buffer.alloc(0);
  try {
    if (!(await file.stat()).isFile()) return Buffer.alloc(0);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Null unless it is an ordinary file of at most so many bytes. */
async function readPlainFile(path: string, most: number): Promise<Buffer | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > most) return null;
    return await file.readFile();
  } finally {
    await file.close();
  }
}
