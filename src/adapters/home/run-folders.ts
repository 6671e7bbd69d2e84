import { lstat, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { z } from "zod";
import { type AgentStatus, readAgentStatus, UNREADABLE_STATUS } from "../../core/config/agent-status.js";
import { LEFTOVERS } from "../../core/model/leftover.js";
import type { ReportKind } from "../../core/model/report-kind.js";
import { addToInbox } from "../../core/prompt/inbox-file.js";
import { redactText } from "../../core/redact.js";
import { homeFolders } from "../../core/runtimes/agent-environment.js";
import type { LaunchSpec } from "../../core/runtimes/launch-spec.js";
import type { LaunchRecord, PreparedClone, SlotFolders, SlotPlace } from "../../ports/slot-folders.js";
import { readBytes, readPlainFile } from "../files/plain-file.js";
import { removeFolder } from "../files/remove-folder.js";
import { readIfThere, SLOT_FILES } from "../process/slot-files.js";
import { keepSpending } from "../usage/keep-spending.js";
import type { KoryphHome } from "./koryph-home.js";
import { ifRealFolder, inRealFolder, type RealFolder } from "./real-folder.js";

const FILES = { prompt: "prompt.md", launch: "launch.json", prepared: "prepared.json" } as const;
/** A chunk of output read at once; a line may be longer than one. */
const CHUNK_BYTES = 1024 * 1024;
const ERROR_TAIL_BYTES = 4096;
/** More than any status needs; an agent that writes more is not read. */
const AGENT_FILE_BYTES = 64 * 1024;
const INBOX = { fileBytes: 1024 * 1024, messageLetters: 200_000 } as const;
/** So many of a landing's letters tell it from the bead's other ones. */
const GATE_NAME = 8;
const INBOX_FILE = "INBOX.md";
export const REVIEWER_HOME = "home";

const Prepared = z.object({
  conflict: z.boolean(),
  // Attempts that an older version made ready have none of these.
  commits: z.int().default(0),
  leftover: z.enum(LEFTOVERS).default("none"),
});
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
  readonly #endGate: (folder: string) => Promise<void>;

  /** `endGate` ends the commands of the check in a folder; only readers of attempts do without. */
  constructor(home: KoryphHome, project: string, endGate: (folder: string) => Promise<void> = endsNothing) {
    this.#home = home;
    this.#project = project;
    this.#endGate = endGate;
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
    if (role === "reviewer") return join(this.folder(place), REVIEWER_HOME);
    return this.#home.agentHome(this.#project, place.bead);
  }

  keyHome(place: SlotPlace): string {
    return this.#home.keyHome(this.#project, place.bead);
  }

  async readPrepared(place: SlotPlace): Promise<PreparedClone | null> {
    return this.#read(place, FILES.prepared, Prepared);
  }

  async markPrepared(place: SlotPlace, prepared: PreparedClone): Promise<void> {
    await this.#in(this.folder(place), (folder) => folder.write(FILES.prepared, JSON.stringify(prepared)));
  }

  async writeLaunch(
    place: SlotPlace,
    prompt: string,
    record: LaunchRecord,
    files: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    // Nobody works in them, so what cannot be entered is what an earlier attempt made of them.
    for (const path of homeFolders(record.spec.home)) await this.#in(path, async () => {});
    for (const [path, text] of Object.entries(files))
      await this.#in(dirname(path), (folder) => folder.write(basename(path), text));
    // What an earlier attempt said of itself is not what this one says.
    await this.#in(this.agentFolder(place), (folder) => folder.remove("status.json"));
    await this.#in(this.folder(place), async (folder) => {
      await folder.write(FILES.prompt, prompt);
      await folder.write(FILES.launch, JSON.stringify(record));
    });
    return join(this.folder(place), FILES.prompt);
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

  async readStatus(place: SlotPlace): Promise<AgentStatus | null> {
    const folder = this.agentFolder(place);
    return ifRealFolder(this.#root(folder), folder, async (real) => {
      const path = join(real, "status.json");
      const bytes = await readPlainFile(path, AGENT_FILE_BYTES);
      if (bytes !== null) return readAgentStatus(bytes.toString("utf8"));
      const isThere = await lstat(path).then(
        () => true,
        () => false,
      );
      return isThere ? UNREADABLE_STATUS : null;
    });
  }

  async writeReport(place: SlotPlace, kind: ReportKind, text: string): Promise<void> {
    await this.#in(this.folder(place), (folder) => folder.write(`report-${kind}.md`, redactText(text)));
  }

  async readReport(place: SlotPlace, kind: ReportKind): Promise<string | null> {
    return readIfThere(join(this.folder(place), `report-${kind}.md`));
  }

  async writeReview(place: SlotPlace, review: object): Promise<void> {
    const text = `${JSON.stringify(review, null, 2)}\n`;
    await this.#in(this.folder(place), (folder) => folder.write("review.json", text));
  }

  async openGate(bead: string, landing: string): Promise<string> {
    const path = this.#home.gateFolder(this.#project, bead);
    const name = landing.slice(-GATE_NAME);
    await this.#in(path, async (folder) => {
      for (const other of await readdir(folder.path)) {
        if (other === name) continue;
        await this.#endGate(join(path, other));
        await folder.remove(other);
      }
    });
    return join(path, name);
  }

  async dropGates(bead: string): Promise<void> {
    const path = this.#home.gateFolder(this.#project, bead);
    await ifRealFolder(this.#root(path), path, async (real) => {
      for (const name of await readdir(real)) await this.#endGate(join(path, name));
    });
    await removeFolder(path);
  }

  async dropHomes(bead: string): Promise<void> {
    await this.#dropHome(this.#home.agentHome(this.#project, bead));
    await removeFolder(this.#home.keyHome(this.#project, bead));
    for (const run of await names(this.#home.runsFolder(this.#project))) {
      const folder = dirname(this.folder({ run, bead, attempt: 1 }));
      for (const attempt of await names(folder))
        if (/^\d+$/.test(attempt)) await this.#dropHome(join(folder, attempt, REVIEWER_HOME));
    }
  }

  async #dropHome(home: string): Promise<void> {
    await keepSpending(this.#home, home);
    await removeFolder(home);
  }

  async writeManifest(place: SlotPlace, manifest: object): Promise<void> {
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await this.#in(join(this.folder(place), ".."), (folder) => folder.write("manifest.json", text));
  }

  async deliver(place: SlotPlace, key: string, text: string): Promise<void> {
    await this.#in(this.agentFolder(place), async (folder) => {
      // The agent could have put a link or a pipe there. Replaced as a whole, whatever it was is left alone.
      const there = await readPlainFile(join(folder.path, INBOX_FILE), 2 * INBOX.fileBytes);
      const now = addToInbox(there?.toString("utf8") ?? "", { key, text }, INBOX);
      if (now !== null) await folder.write(INBOX_FILE, now, 0o400);
    });
  }

  #in<T>(path: string, work: (folder: RealFolder) => Promise<T>): Promise<T> {
    return inRealFolder(this.#root(path), path, work);
  }

  /** The folder that agents have nothing to do with: one of those below the project's home. */
  #root(path: string): string {
    const project = this.#home.projectHome(this.#project);
    return join(project, relative(project, path).split(sep)[0] ?? "");
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

async function endsNothing(folder: string): Promise<void> {
  throw new Error(`commands may run in ${folder}, and nothing here ends them`);
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
