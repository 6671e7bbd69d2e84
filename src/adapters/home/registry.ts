import { readdir, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { PROJECT_FILE } from "../../core/config/project-file.js";
import { readJson } from "../../core/config/read-json.js";
import { type RegistryEntry, readRegistryEntry } from "../../core/config/registry-entry.js";
import type { AccountPin } from "../../core/govern/account-pin.js";
import { withoutCredentials } from "../../core/redact.js";
import { registryAdvice } from "../../core/replies/config/home.js";
import { UserError } from "../../lib/user-error.js";
import { replaceFile } from "../files/replace-file.js";
import { syncFolder } from "../files/write-synced.js";
import { type KoryphHome, makeFolder } from "./koryph-home.js";
import { withLock } from "./lock-file.js";
import { recordChanges } from "./registry-history.js";

export interface Registration {
  readonly id: string;
  readonly root: string;
  readonly remote: string | null;
}

export interface RegistryList {
  /** By id. */
  readonly entries: readonly RegistryEntry[];
  /** Files that are no entries; the others count all the same. */
  readonly problems: readonly { readonly path: string; readonly problem: string }[];
}

/** The projects of this machine: a file each, and the history of all of them in a git repository of their own. */
export class Registry {
  readonly #folder: string;

  constructor(home: KoryphHome) {
    this.#folder = home.registryFolder;
  }

  /**
   * Enters a project, and `run` as its newest one. Throws a `UserError` when another checkout that still exists has this
   * id.
   */
  async register(
    project: Registration,
    run?: { readonly id: string; readonly at: string },
  ): Promise<"added" | "moved" | "changed" | "unchanged"> {
    const root = await realpath(project.root);
    const remote = project.remote && withoutCredentials(project.remote);
    return this.#changing(async () => {
      const known = await this.find(project.id);
      if (known === null) {
        const entry = {
          id: project.id,
          root,
          remote,
          registered_at: new Date().toISOString(),
          last_run: run ?? null,
        };
        await this.#write(entry, "register");
        return "added";
      }
      const last_run = run ?? known.last_run;
      if (known.root === root && known.remote === remote) {
        if (run !== undefined) await this.#write({ ...known, last_run }, "run");
        return "unchanged";
      }
      if (known.root !== root && (await stillHas(known.root, known.id)))
        throw UserError.of(registryAdvice.elsewhere(known.id, known.root, root));
      const answer = known.root === root ? "changed" : "moved";
      await this.#write({ ...known, root, remote, last_run }, answer === "moved" ? "move" : "change");
      return answer;
    });
  }

  async list(): Promise<RegistryList> {
    const entries: RegistryEntry[] = [];
    const problems: { path: string; problem: string }[] = [];
    for (const name of (await namesIn(this.#folder)).sort()) {
      const path = join(this.#folder, name);
      const reading = readRegistryEntry(name.slice(0, -".json".length), await readFile(path, "utf8"));
      if (reading.kind === "entry") entries.push(reading.entry);
      else problems.push({ path, problem: reading.problem });
    }
    return { entries, problems };
  }

  /** Null when there is no such project. Throws a `UserError` when its file is malformed. */
  async find(id: string): Promise<RegistryEntry | null> {
    const name = `${id}.json`;
    if (!(await namesIn(this.#folder)).includes(name)) return null;
    const path = join(this.#folder, name);
    const reading = readRegistryEntry(id, await readFile(path, "utf8"));
    if (reading.kind === "wrong") throw UserError.of(registryAdvice.unreadable(path, reading.problem));
    return reading.entry;
  }

  /** Pins the account of a runtime; null forgets the pin. */
  async pin(
    id: string,
    runtime: string,
    pin: AccountPin | null,
  ): Promise<"pinned" | "forgotten" | "unchanged" | "absent"> {
    return this.#changing(async () => {
      const known = await this.find(id);
      if (known === null) return "absent";
      const { accounts = {}, ...entry } = known;
      const { [runtime]: before, ...others } = accounts;
      const pins = pin === null ? others : { ...others, [runtime]: pin };
      if (isDeepStrictEqual(before ?? null, pin)) return "unchanged";
      // Without pins the entry is as a koryph from before pins can read it.
      const kept = Object.keys(pins).length > 0 ? { ...entry, accounts: pins } : entry;
      await this.#write(kept, pin === null ? "forget the account of" : "pin the account of");
      return pin === null ? "forgotten" : "pinned";
    });
  }

  /** Forgets a project. Its state, and the checkout, stay where they are. */
  async remove(id: string): Promise<"removed" | "absent"> {
    return this.#changing(async () => {
      const name = `${id}.json`;
      if (!(await namesIn(this.#folder)).includes(name)) return "absent";
      await rm(join(this.#folder, name), { force: true });
      await syncFolder(this.#folder);
      await recordChanges(this.#folder, `remove ${id}`);
      return "removed";
    });
  }

  async #write(entry: RegistryEntry, verb: string): Promise<void> {
    const path = join(this.#folder, `${entry.id}.json`);
    await replaceFile(path, `${JSON.stringify(entry, null, 2)}\n`, { mode: 0o600 });
    await recordChanges(this.#folder, `${verb} ${entry.id}`);
  }

  async #changing<T>(action: () => Promise<T>): Promise<T> {
    await makeFolder(this.#folder);
    return withLock(`${this.#folder}.lock`, { what: "the project registry" }, async () => {
      // What a killed process or a person left unrecorded gets its own commit, so that ours undoes only ours.
      await recordChanges(this.#folder, "record changes found");
      return action();
    });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^[a-z0-9][a-z0-9._-]*\.json$/.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** False when the folder is gone or is another project by now; a file that cannot be understood still counts. */
export async function stillHas(root: string, id: string): Promise<boolean> {
  const text = await readFile(join(root, PROJECT_FILE), "utf8").catch(() => null);
  if (text === null) return false;
  const json = readJson(text);
  const found = json.kind === "json" ? (json.data as { project_id?: unknown } | null)?.project_id : undefined;
  return typeof found !== "string" || found === id;
}
