import { join } from "node:path";
import { GitLedger } from "../adapters/git/git-ledger.js";
import { type KoryphHome, makeFolder } from "../adapters/home/koryph-home.js";
import { engineSatisfies } from "../core/config/engine-version.js";
import { readProject } from "../core/config/read-project.js";
import { PROJECT_FILE } from "../core/replies/project.js";
import { badProject, talkRefusal } from "../core/replies/talk.js";
import { UserError } from "../lib/user-error.js";
import type { Threads } from "../ports/threads.js";
import type { OpenedProject } from "../pulls/run-command.js";

export interface RepositoryFacts {
  /** `owner/name`. */
  readonly fullName: string;
  readonly installation: number;
}

export interface RepositoriesParts {
  readonly home: KoryphHome;
  readonly version: string;
  /** `https://github.com`, without a slash. */
  readonly serverUrl: string;
  /** What events are written as when nobody else is named. */
  readonly actor: string;
  readonly credentials: (repository: RepositoryFacts) => Promise<Readonly<Record<string, string>>>;
  readonly now: () => number;
}

/** The projects of the repositories the App is installed on: settings from the default branch, ledgers through git. */
export class Repositories {
  readonly #parts: RepositoriesParts;
  readonly #ledgers = new Map<string, GitLedger>();

  constructor(parts: RepositoriesParts) {
    this.#parts = parts;
  }

  /** As the default branch has it now. */
  async open(repository: RepositoryFacts, threads: Pick<Threads, "file">): Promise<OpenedProject> {
    let text: string | null;
    try {
      text = await threads.file(PROJECT_FILE);
    } catch (error) {
      // A folder, a link, or far too large.
      if (error instanceof UserError) return talkRefusal.badProject(error.message);
      throw error;
    }
    if (text === null) return talkRefusal.noProject();
    const reading = readProject(text);
    if (reading.kind !== "ok") return talkRefusal.badProject(badProject(reading));
    const { config } = reading;
    if (!engineSatisfies(this.#parts.version, config.engine_version))
      return talkRefusal.tooOld(config.engine_version, this.#parts.version);
    return { kind: "project", config, ledger: await this.#ledger(repository, config.ledger.ref) };
  }

  async #ledger(repository: RepositoryFacts, ref: string): Promise<GitLedger> {
    const { home, serverUrl, actor, credentials, now } = this.#parts;
    const name = repository.fullName.toLowerCase();
    // Two installations of one repository, one after the other, have different credentials.
    const key = `${repository.installation} ${name} ${ref}`;
    const known = this.#ledgers.get(key);
    if (known !== undefined) return known;
    const folder = await makeFolder(join(home.path, "app", "ledgers", folderOf(name)));
    const ledger = new GitLedger({
      gitDir: join(folder, "ledger.git"),
      remote: `${serverUrl}/${repository.fullName}.git`,
      env: () => credentials(repository),
      ref,
      actor,
      now,
    });
    this.#ledgers.set(key, ledger);
    return ledger;
  }
}

/** Owners have no underscore in their names, so no two repositories share a folder. */
function folderOf(name: string): string {
  const [owner = "", repository = ""] = name.split("/");
  if (!/^[a-z0-9-]+$/.test(owner) || !/^[a-z0-9._-]+$/.test(repository))
    throw new Error(`not a repository's name: ${JSON.stringify(name)}`);
  return `${owner}__${repository}`;
}
