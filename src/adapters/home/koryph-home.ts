import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { homeAdvice } from "../../core/replies/config/home.js";
import { UserError } from "../../lib/user-error.js";
import { homePath } from "./home-path.js";

/** What an engine needs at the very least before it starts anything. */
const PROBE_BYTES = 64 * 1024;

/**
 * Where koryph keeps what belongs to this machine and not to a repository:
 *
 *     registry.d/<project>.json        projects known here, with their history in git
 *     audit.jsonl                      who did what, over all projects
 *     governor.json                    which agents have a place on this machine, and how many may
 *     app/                             the App: server.lock, koryph.db, ledgers/<repository>/<ref>/ledger.git,
 *                                      repositories/<repository>/repo.git, analyses/<repository>/projects/<project>/,
 *                                      github-app/{app.json,private-key.pem}
 *     agents.json                      which agents this machine's server may start
 *     quota.json                       what the accounts hold, as people found out, and what the quota does
 *     spent.jsonl                      what agents have spent whose homes are gone
 *     compiled/                        what Node keeps of koryph's code for the next start
 *     projects/<project>/
 *       engine.lock                    one engine per project
 *       repository.json                which repository this id belongs to
 *       repo.git, ledger.git, clones/<bead>, homes/<bead>, spare
 *       gate-answers/                  what the gate said of commits
 *       pulls/<number>.json            what an analysis of a pull request found
 *       runs/<run>/report.html         the run in one page
 *       runs/<run>/<bead>/<attempt>/   what an attempt was given and what it left
 */
export class KoryphHome {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get registryFolder(): string {
    return join(this.path, "registry.d");
  }

  get auditLog(): string {
    return join(this.path, "audit.jsonl");
  }

  /** Shared by all engines of the machine; changed under its lock only. */
  get governor(): { readonly file: string; readonly lock: string } {
    return { file: join(this.path, "governor.json"), lock: join(this.path, "governor.lock") };
  }

  /** What the accounts hold, as people found out. */
  get quotaFile(): string {
    return join(this.path, "quota.json");
  }

  /** What agents have spent whose homes are gone. */
  get spentFile(): string {
    return join(this.path, "spent.jsonl");
  }

  /** The App's database. */
  get appStore(): string {
    return join(this.path, "app", "koryph.db");
  }

  /** The App that was set up for this home, with its secrets. */
  get keptApp(): string {
    return join(this.path, "app", "github-app");
  }

  /** One server per home. */
  get serverLock(): string {
    return join(this.path, "app", "server.lock");
  }

  /** The App's copy of one ref of a repository's: it remembers what it has seen of it, and would take another for a loss. */
  appLedger(repository: number, ref: string): string {
    const name = createHash("sha256").update(ref).digest("hex").slice(0, 16);
    return join(this.path, "app", "ledgers", segment(`${repository}`), name, "ledger.git");
  }

  /** Where the next lie, in folders by the repositories' numbers. */
  get appRepositories(): string {
    return join(this.path, "app", "repositories");
  }

  /** The App's copy of a repository's commits, and where it works on them in passing. */
  appRepository(repository: number): { readonly gitDir: string; readonly scratch: string } {
    const folder = join(this.appRepositories, segment(`${repository}`));
    return { gitDir: join(folder, "repo.git"), scratch: join(folder, "scratch") };
  }

  /** What the App's own reviewer works in, for one repository: two of them may be projects of the same id. */
  appAnalyses(repository: number): KoryphHome {
    return new KoryphHome(join(this.path, "app", "analyses", segment(`${repository}`)));
  }

  /** Which agents this machine's server may start, and how. */
  get agentsFile(): string {
    return join(this.path, "agents.json");
  }

  projectHome(id: string): string {
    return join(this.path, "projects", segment(id));
  }

  engineLock(id: string): string {
    return join(this.projectHome(id), "engine.lock");
  }

  /** Held by whoever lands something on this machine. */
  landLock(id: string): string {
    return join(this.projectHome(id), "land.lock");
  }

  repository(id: string): string {
    return join(this.projectHome(id), "repo.git");
  }

  ledger(id: string): string {
    return join(this.projectHome(id), "ledger.git");
  }

  clonesFolder(id: string): string {
    return join(this.projectHome(id), "clones");
  }

  agentHome(id: string, bead: string): string {
    return join(this.projectHome(id), "homes", segment(bead));
  }

  /** Of the agents that are billed to a key. */
  keyHome(id: string, bead: string): string {
    return join(this.projectHome(id), "key-homes", segment(bead));
  }

  /** Short: a build's sockets lie below it, and a socket's path has 107 bytes. */
  gateFolder(id: string, bead: string): string {
    return join(this.projectHome(id), "gates", segment(bead));
  }

  gateAnswers(id: string): string {
    return join(this.projectHome(id), "gate-answers");
  }

  pullsFolder(id: string): string {
    return join(this.projectHome(id), "pulls");
  }

  runsFolder(id: string): string {
    return join(this.projectHome(id), "runs");
  }

  /** A run in one page, where nobody named another file. */
  runPage(id: string, run: string): string {
    return join(this.runsFolder(id), segment(run), "report.html");
  }

  runFolder(id: string, run: string, bead: string, attempt: number): string {
    return join(this.runsFolder(id), segment(run), segment(bead), segment(`${attempt}`));
  }
}

/** `$KORYPH_HOME`, or `~/.koryph`; nothing is looked at or made. */
export function locateHome(env: NodeJS.ProcessEnv = process.env): KoryphHome {
  const path = homePath(env);
  if (path === null) throw UserError.of(homeAdvice.notAbsolute(env.KORYPH_HOME ?? ""));
  return new KoryphHome(path);
}

/** The home, made if need be. For those who only look: that is needed most when nothing can be written. */
export async function enterHome(env: NodeJS.ProcessEnv = process.env): Promise<KoryphHome> {
  const home = locateHome(env);
  await makeFolder(home.path);
  return home;
}

/** The home, proved to take what is written: permissions, quotas and full disks all show only then. */
export async function openHome(env: NodeJS.ProcessEnv = process.env): Promise<KoryphHome> {
  const home = await enterHome(env);
  const probe = join(home.path, `.probe-${randomBytes(6).toString("hex")}`);
  await explained(home.path, async () => {
    try {
      const file = await open(probe, "wx", 0o600);
      try {
        await file.writeFile(Buffer.alloc(PROBE_BYTES));
        await file.sync();
      } finally {
        await file.close();
      }
    } finally {
      await rm(probe, { force: true });
    }
  });
  return home;
}

/** A folder of the home and those above it, for the owner alone. One that is there keeps its permissions. */
export async function makeFolder(path: string): Promise<string> {
  await explained(path, async () => makeWithParents(path));
  return path;
}

/** Node's own way goes round in circles where the parent is there and takes no folders, as in /proc. */
function makeWithParents(path: string, again = true): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && isFolder(path)) return;
    if (code !== "ENOENT") throw error;
    if (!isFolder(dirname(path))) makeWithParents(dirname(path));
    // It is there by now because somebody else made it, or it was all along and takes none.
    else if (!again) throw error;
    makeWithParents(path, false);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

async function explained<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw UserError.of(homeAdvice.full(path));
    if (code !== undefined) throw UserError.of(homeAdvice.unwritable(path, message));
    throw error;
  }
}

/** Names of runs and beads come from a ledger that others can write: none may step out of its folder. */
function segment(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name))
    throw new Error(`not a folder name: ${JSON.stringify(name)}`);
  return name;
}
