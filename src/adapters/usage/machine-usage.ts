import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Variables } from "../../core/runtimes/agent-environment.js";
import { eachOnce, newestLimits } from "../../core/runtimes/spent-message.js";
import type { CcusageProblem, UsageMeasurement } from "../../core/usage/usage-measurement.js";
import { LONGEST_WINDOW_MS, windowSpending } from "../../core/usage/window-spending.js";
import type { KoryphHome } from "../home/koryph-home.js";
import { agentHomes } from "./agent-homes.js";
import { askCcusage } from "./ask-ccusage.js";
import { pinnedFolders } from "./pinned-folders.js";
import { type RecordBounds, RecordFiles, type RecordLook, TooManyRecords } from "./record-files.js";
import { type RecordKind, recordKindOf } from "./record-kinds.js";
import { SpentFile } from "./spent-file.js";

export interface UsageSettings {
  readonly home: KoryphHome;
  /** The operator's environment. */
  readonly env: Variables;
  readonly now: () => number;
  readonly ccusageSeconds?: number;
  readonly bounds?: Partial<RecordBounds>;
}

const CCUSAGE_SECONDS = 20;

/**
 * What was spent on an account on this machine: by people, as ccusage or the runtime's records in their home tell, and
 * by koryph's agents, whose records lie in homes of their own. An account that projects pin has all of its records in the
 * folders of its profiles.
 */
export class MachineUsage {
  readonly #settings: UsageSettings;
  readonly #spent: SpentFile;
  /** What was read of people's records, and of agents', by pool. */
  readonly #records = new Map<string, { readonly people: RecordFiles; readonly agents: RecordFiles }>();

  constructor(settings: UsageSettings) {
    this.#settings = settings;
    this.#spent = new SpentFile(settings.home.spentFile);
  }

  /** By the name of its pool. Never throws: what cannot be measured says so. */
  async measure(pool: string): Promise<UsageMeasurement> {
    const at = this.#settings.now();
    const unknown = { at, spent: null, told: [], broken: 0, unpriced: 0, cut: 0 };
    const kind = recordKindOf(pool);
    if (kind === null) return { ...unknown, source: { kind: "none", why: "no-reader" } };
    try {
      return pool === kind.pool ? await this.#measure(kind, at) : await this.#measurePinned(kind, pool, at);
    } catch (error) {
      const why = error instanceof TooManyRecords ? "too-many" : "unreadable";
      return { ...unknown, source: { kind: "none", why } };
    }
  }

  async #measure(kind: RecordKind, now: number): Promise<UsageMeasurement> {
    const since = now - LONGEST_WINDOW_MS;
    const [agents, gone] = await Promise.all([this.#agents(kind, since), this.#spent.read(kind.pool)]);
    const answer = kind.ccusage ? await this.#askCcusage(now) : null;
    if (answer?.kind === "read") {
      const { reading } = answer;
      const own = windowSpending(eachOnce([...agents.messages, ...gone]), now, reading.since ?? undefined);
      const spent = { fiveHour: own.fiveHour + reading.fiveHour, weekly: own.weekly + reading.weekly };
      return { at: now, spent, source: { kind: "ccusage" }, ...trouble(agents) };
    }
    const people = await this.#people(kind, since);
    if (people.folders + agents.folders + gone.length === 0)
      return { at: now, spent: null, source: { kind: "none", why: "no-records" }, ...trouble(people) };
    const messages = eachOnce([...people.messages, ...agents.messages, ...gone]);
    const tried: CcusageProblem | null = answer?.kind === "problem" ? answer.problem : null;
    const source = { kind: "records", tried } as const;
    return { at: now, spent: windowSpending(messages, now), source, ...trouble(people, agents) };
  }

  async #measurePinned(kind: RecordKind, pool: string, now: number): Promise<UsageMeasurement> {
    const { folders: pinned, complete } = await pinnedFolders(this.#settings.home);
    // A sum that lacks a folder would make the account look emptier than it is.
    if (!complete)
      return { at: now, spent: null, source: { kind: "none", why: "no-registry" }, ...trouble() };
    const folders = pinned.get(pool) ?? [];
    const looked = folders.map((path) => ({ root: path, path }));
    const look = await this.#recordsOf(pool).people.look(kind, looked, now - LONGEST_WINDOW_MS);
    const why = folders.length === 0 ? "no-folder" : "no-records";
    if (look.folders === 0) return { at: now, spent: null, source: { kind: "none", why }, ...trouble(look) };
    const spent = windowSpending(eachOnce(look.messages), now);
    return { at: now, spent, source: { kind: "records", tried: null }, ...trouble(look) };
  }

  #recordsOf(pool: string) {
    const { bounds } = this.#settings;
    const known = this.#records.get(pool) ?? {
      people: new RecordFiles(bounds),
      agents: new RecordFiles(bounds),
    };
    this.#records.set(pool, known);
    return known;
  }

  #askCcusage(now: number) {
    const { env, ccusageSeconds: timeoutSeconds = CCUSAGE_SECONDS } = this.#settings;
    return askCcusage(env, { now, timeoutSeconds });
  }

  #people(kind: RecordKind, since: number): Promise<RecordLook> {
    const { env } = this.#settings;
    // A path that depends on the folder one is in says nothing about the machine.
    const paths = kind.folders(env, env.HOME ?? homedir()).filter(isAbsolute);
    const folders = paths.map((path) => ({ root: path, path }));
    return this.#recordsOf(kind.pool).people.look(kind, folders, since);
  }

  async #agents(kind: RecordKind, since: number): Promise<RecordLook> {
    const homes = await agentHomes(this.#settings.home);
    const folders = homes.map((home) => ({ root: home, path: join(home, kind.inHome) }));
    return this.#recordsOf(kind.pool).agents.look(kind, folders, since);
  }
}

function trouble(...looks: readonly RecordLook[]) {
  const sum = (of: (look: RecordLook) => number) => looks.reduce((total, look) => total + of(look), 0);
  return {
    told: newestLimits(looks.flatMap(({ limits }) => limits)),
    broken: sum(({ broken }) => broken),
    unpriced: sum(({ unpriced }) => unpriced),
    cut: sum(({ cut }) => cut),
  };
}
