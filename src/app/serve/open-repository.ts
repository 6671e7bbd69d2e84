import { dirname } from "node:path";
import { GitLedger } from "../../adapters/git/ledger/git-ledger.js";
import { type KoryphHome, makeFolder } from "../../adapters/home/koryph-home.js";
import type { OpenedProject } from "../../comments/command-parts.js";
import { engineSatisfies } from "../../core/config/engine-version.js";
import { PROJECT_FILE } from "../../core/config/project-file.js";
import { readProject } from "../../core/config/read-project.js";
import { commentRefusals, projectProblem } from "../../core/replies/commands/comment-refusals.js";
import { UserError } from "../../lib/user-error.js";
import type { Threads } from "../../ports/threads.js";

export interface RepositoryFacts {
  /** `owner/name`. */
  readonly fullName: string;
  /** Stays when the name changes, and is never given to another. */
  readonly id: number;
  readonly installation: number;
}

/** The name belongs to another repository by now, or the repository has another name. */
export class MovedAway extends Error {}

/** What has to be known of a repository on GitHub before its ledger is touched. */
interface Look extends Pick<Threads, "file"> {
  repositoryId(): Promise<number>;
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

  /** As the default branch has it now. Throws `MovedAway` where another repository has the name. */
  async open(repository: RepositoryFacts, threads: Look): Promise<OpenedProject> {
    if ((await threads.repositoryId()) !== repository.id)
      throw new MovedAway(`${repository.fullName} is not repository ${repository.id}`);
    let text: string | null;
    try {
      text = await threads.file(PROJECT_FILE);
    } catch (error) {
      // A folder, a link, or far too large.
      if (error instanceof UserError) return commentRefusals.badProject(error.message);
      throw error;
    }
    if (text === null) return commentRefusals.noProject();
    const reading = readProject(text);
    if (reading.kind !== "ok") return commentRefusals.badProject(projectProblem(reading));
    const { config } = reading;
    if (!engineSatisfies(this.#parts.version, config.engine_version))
      return commentRefusals.tooOld(config.engine_version, this.#parts.version);
    return { kind: "project", config, ledger: await this.#ledger(repository, config.ledger.ref) };
  }

  async #ledger(repository: RepositoryFacts, ref: string): Promise<GitLedger> {
    const { home, serverUrl, actor, credentials, now } = this.#parts;
    const { id, fullName } = repository;
    // Two installations of one repository, one after the other, have different credentials; two names, addresses.
    const key = `${repository.installation} ${id} ${fullName.toLowerCase()} ${ref}`;
    const known = this.#ledgers.get(key);
    if (known !== undefined) return known;
    const gitDir = home.appLedger(id, ref);
    await makeFolder(dirname(gitDir));
    const ledger = new GitLedger({
      gitDir,
      remote: `${serverUrl}/${fullName}.git`,
      env: () => credentials(repository),
      ref,
      actor,
      now,
    });
    this.#ledgers.set(key, ledger);
    return ledger;
  }
}
