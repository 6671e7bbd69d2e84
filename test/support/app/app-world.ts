import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { openStore, type Store } from "../../../src/adapters/store/open-store.js";
import { SqlInbox } from "../../../src/adapters/store/sql-inbox.js";
import { ANALYSIS_JOB } from "../../../src/app/analysis/analysis-jobs.js";
import { BEADS_JOB } from "../../../src/app/comments/look-at-beads.js";
import { OUTCOME_JOB } from "../../../src/app/comments/watch-outcome.js";
import { openLog } from "../../../src/app/http/server-log.js";
import { LAND_JOB, LANDED_JOB } from "../../../src/app/pulls/land-jobs.js";
import { LOOK_JOB } from "../../../src/app/pulls/look-jobs.js";
import { readSettings, type ServeFlags } from "../../../src/app/serve/read-settings.js";
import type { RunningApp } from "../../../src/app/serve/serve-until-stopped.js";
import { startApp } from "../../../src/app/start-app.js";
import { starterProject } from "../../../src/core/config/starter-project.js";
import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";
import type { ListedJob } from "../../../src/ports/inbox.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/sandbox.js";
import * as people from "../../../src/sandbox/world/people.js";
import type { Comment, Issue, Repository } from "../../../src/sandbox/world/state.js";
import { type BareEntry, readBareLedger, writeBareLedger } from "../git/bare-ledger.js";
import { LONG } from "../long.js";
import { APP_KEY } from "./sandbox-lab.js";

export const REPOSITORY = "team/shop";
const SECRET = "a secret of more than sixteen letters";

/** What app.yml asks GitHub for. */
const MANIFEST = parse(readFileSync(new URL("../../../app.yml", import.meta.url), "utf8")) as {
  default_permissions: Record<string, "read" | "write">;
  default_events: string[];
};

export interface AppWorldOptions {
  /** The project file on the default branch; null for none. */
  readonly project?: Record<string, unknown> | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: ServeFlags;
  /** Puts files into the App's home before it starts. */
  readonly prepare?: (home: string) => void;
  /** A variation of another story, which `npm test` can do without. */
  readonly long?: boolean;
}

/** The time of GitHub and the App: the real one, and what a story has added to it. */
class MovedClock {
  #ahead = 0;
  readonly now = () => Date.now() + this.#ahead;

  pass(seconds: number): void {
    this.#ahead += seconds * 1000;
  }
}

/**
 * The App, a loopback GitHub and people: maria maintains, walter writes, tina triages, rita reads. Everything between
 * them is real: signed webhooks over HTTP, git, the ledger, the App's database.
 */
export class AppWorld {
  readonly sandbox: Sandbox;
  readonly home: string;
  readonly log: string[] = [];
  readonly clock: MovedClock;
  readonly flags: ServeFlags;
  readonly #env: Record<string, string>;
  readonly #read = new Set<number>();
  #app: RunningApp | null = null;
  #store: Store | null = null;
  #setWebhook: (url: string) => void;

  private constructor(
    { sandbox, clock, flags }: Pick<AppWorld, "sandbox" | "clock" | "flags">,
    env: Record<string, string>,
    setWebhook: (url: string) => void,
  ) {
    this.sandbox = sandbox;
    this.clock = clock;
    this.flags = flags;
    this.#env = env;
    this.home = env.KORYPH_HOME ?? "";
    this.#setWebhook = setWebhook;
  }

  static async open(options: AppWorldOptions = {}): Promise<AppWorld> {
    const { project = starter(), env = {}, flags = {}, prepare = () => {} } = options;
    const clock = new MovedClock();
    const sandbox = await startSandbox({ now: clock.now });
    sandbox.addUser("team", "Organization");
    for (const login of ["maria", "walter", "tina", "rita"]) sandbox.addUser(login);
    const files: Record<string, string> = { "README.md": "# shop\n" };
    if (project !== null) files["koryph.project.json"] = JSON.stringify({ containment: "off", ...project });
    await sandbox.addRepository({ owner: "team", name: "shop", files });
    for (const [login, role] of [
      ["maria", "maintain"],
      ["walter", "write"],
      ["tina", "triage"],
    ] as const)
      sandbox.setRole(REPOSITORY, login, role);
    const app = await sandbox.addApp({
      slug: "koryph",
      permissions: MANIFEST.default_permissions,
      events: MANIFEST.default_events,
      webhookSecret: SECRET,
      privateKey: APP_KEY,
    });
    sandbox.install(app, [REPOSITORY]);
    const home = await mkdtemp(join(tmpdir(), "koryph-test-"));
    prepare(home);
    return new AppWorld(
      { sandbox, clock, flags },
      {
        APP_ID: `${app.id}`,
        PRIVATE_KEY: app.privateKey,
        WEBHOOK_SECRET: SECRET,
        PORT: "0",
        LOG_LEVEL: "debug",
        GITHUB_API_URL: sandbox.url,
        GITHUB_SERVER_URL: sandbox.url,
        KORYPH_HOME: home,
        ...env,
      },
      (url) => sandbox.setWebhook(app, url),
    );
  }

  /** With these variables besides, this once. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const settings = readSettings({ ...this.#env, ...env }, this.flags);
    const log = openLog({
      level: settings.logLevel,
      format: "json",
      secrets: [],
      write: (line) => this.log.push(line),
    });
    this.#app = await startApp(settings, log, { now: this.clock.now });
    // At once: what it asks GitHub for again is on its way already.
    this.#setWebhook(`${this.#app.url}/api/github/webhooks`);
    this.#store = await openStore(settings.home.appStore);
  }

  /** Of the App. */
  get appId(): number {
    return Number(this.#env.APP_ID);
  }

  get env(): Readonly<Record<string, string>> {
    return this.#env;
  }

  get url(): string {
    return this.#app?.url ?? "";
  }

  async #openJobs(): Promise<number> {
    if (this.#store === null) throw new Error("the App does not run");
    const jobs = await new SqlInbox(this.#store, this.clock.now).list();
    const now = this.clock.now();
    // What waits for an engine, or for checks, has nothing to be done about it until somebody looks again; so has what
    // stands behind it.
    const later = jobs.filter(
      ({ name, notBefore }) =>
        [OUTCOME_JOB, LAND_JOB, LANDED_JOB, LOOK_JOB, BEADS_JOB, ANALYSIS_JOB].includes(name) &&
        notBefore > now,
    );
    const waits = ({ lane, key }: ListedJob) => later.some((each) => each.lane === lane && each.key === key);
    return jobs.filter((job) => job.state !== "dead" && !waits(job)).length;
  }

  /** How many replies wait for what an engine makes of a command. */
  async watched(): Promise<number> {
    if (this.#store === null) throw new Error("the App does not run");
    const jobs = await new SqlInbox(this.#store, this.clock.now).list({ lane: "work" });
    return jobs.filter(({ name }) => name === OUTCOME_JOB).length;
  }

  /** Webhooks go here from now on. */
  set webhook(url: string) {
    this.#setWebhook(url);
  }

  async stop(): Promise<void> {
    await this.#store?.close();
    await this.#app?.stop();
    [this.#store, this.#app] = [null, null];
  }

  async close(): Promise<void> {
    await this.stop();
    await this.sandbox.close();
    await rm(this.home, { recursive: true, force: true });
  }

  get repository(): Repository {
    const found = this.sandbox.world.repository(REPOSITORY);
    if (found === null) throw new Error("the repository is gone");
    return found;
  }

  issue(number: number): Issue {
    return this.sandbox.world.issue(this.repository, number);
  }

  as(login: string) {
    const { world } = this.sandbox;
    const comment = (number: number, body: string) => people.comment(world, REPOSITORY, number, login, body);
    return {
      opens: (title: string, body = "") => people.openIssue(world, REPOSITORY, login, { title, body }),
      /** The id of the comment, once nothing is left to do about it. */
      says: async (number: number, body: string) => {
        const id = await comment(number, body);
        await this.settled();
        return id;
      },
      writes: comment,
      edits: (id: number, body: string) => people.editComment(world, REPOSITORY, id, login, body),
      deletes: (id: number) => people.deleteComment(world, REPOSITORY, id, login),
      reviews: async (number: number, given: people.GivenReview) => {
        const id = await people.review(world, REPOSITORY, number, login, given);
        await this.settled();
        return id;
      },
    };
  }

  /** A pull request of the engine's; its number. */
  async opensAgentPull(bead: string): Promise<number> {
    const by = { author: "maria", message: "feat: shoes" };
    await this.sandbox.commit(REPOSITORY, `agent/${bead}`, { "shoes.txt": "red\n" }, by);
    const pull = { author: "maria", head: `agent/${bead}`, title: "Shoes" };
    return (await this.sandbox.openPull(REPOSITORY, pull)).number;
  }

  /** All webhooks were sent, and all that can be done now about what they told was done. */
  async settled(): Promise<void> {
    await this.sandbox.settled();
    // Read where the App keeps it: asked for its metrics, it would spend more time on the answers than on its work.
    await expect.poll(() => this.#openJobs(), { interval: 25 }).toBe(0);
    await this.sandbox.settled();
  }

  /** The comments by which the bot says how a pull request or bead stands; there should be one at most. */
  statuses(number: number): string[] {
    return this.issue(number)
      .comments.filter(isStatus)
      .map(({ body }) => readable(body));
  }

  /** The bot's replies on a thread, oldest first; they count as read. */
  replies(number: number): string[] {
    const found = this.issue(number).comments.filter((each) => each.viaApp !== null && !isStatus(each));
    for (const { id } of found) this.#read.add(id);
    return found.map(({ body }) => readable(body));
  }

  /** The bot's one comment on a thread. */
  reply(number: number): string {
    const [only = "", ...others] = this.replies(number);
    expect(others).toEqual([]);
    return only;
  }

  comment(number: number, id: number): Comment | undefined {
    return this.issue(number).comments.find((each) => each.id === id);
  }

  /** The bot's reactions to a comment, in the order they came. */
  reactions(number: number, id: number): string[] {
    const found = this.comment(number, id)?.reactions ?? [];
    return found.filter(({ user }) => user.endsWith("[bot]")).map(({ content }) => content);
  }

  unread(): string[] {
    return this.repository.issues
      .flatMap(({ comments }) => comments)
      .filter((each) => each.viaApp !== null && !isStatus(each) && !this.#read.has(each.id))
      .map(({ body }) => body);
  }

  /** What an engine would have written. */
  record(...events: readonly NewEvent[]): Promise<void> {
    return writeBareLedger(this.repository.gitDir, events);
  }

  /** Every line of the ledger, repeats included. */
  async events(): Promise<BareEntry[]> {
    return (await readBareLedger(this.repository.gitDir)).entries;
  }

  async state() {
    return (await readBareLedger(this.repository.gitDir)).state;
  }
}

function starter(): Record<string, unknown> {
  return {
    ...(JSON.parse(starterProject("shop", ["true"])) as Record<string, unknown>),
    max_concurrent_slots: 4,
  };
}

/** The one comment that koryph keeps up to date on a pull request; a reply to nobody. */
export function isStatus({ body, viaApp }: Comment): boolean {
  return viaApp !== null && body.startsWith("<!-- koryph:status ");
}

/** A reply as people see it: without the hidden marker, references and marks as the characters they stand for. */
function readable(body: string): string {
  return body
    .replace(/<!--[\s\S]*?-->\n?/g, "")
    .replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)))
    .replace(/\u200b/g, "")
    .replace(/<\/?(code|span)>/g, "`")
    .replace(/\(http[^)]*\)/g, "(…)");
}

type Story = (world: AppWorld) => Promise<void>;

/** A story that ends with nothing left over: no comment unread, no request that GitHub would not understand. */
export function scenario(name: string, story: Story, options: AppWorldOptions = {}): void {
  test.runIf(LONG || options.long !== true)(name, async () => {
    const world = await opened(options);
    try {
      await tell(world, story);
    } finally {
      await world.close();
    }
  });
}

/**
 * A `scenario` for stories that leave one another alone: each has its own threads and beads, and an empty log. Opening
 * a world takes as long as a story. After one that failed the next ones get another world.
 */
export function scenariosInOneWorld(
  options: AppWorldOptions = {},
  begin: (world: AppWorld) => Promise<void> = async () => {},
): (name: string, story: Story, options?: { readonly long?: boolean }) => void {
  let shared: AppWorld | null = null;
  const end = async () => {
    await shared?.close();
    shared = null;
  };
  afterAll(end);
  return (name, story, { long = false } = {}) =>
    test.runIf(LONG || !long)(name, async () => {
      if (shared === null) {
        shared = await opened(options);
        await begin(shared);
      }
      shared.log.length = 0;
      try {
        await tell(shared, story);
      } catch (error) {
        await end();
        throw error;
      }
    });
}

async function opened(options: AppWorldOptions): Promise<AppWorld> {
  const world = await AppWorld.open(options);
  try {
    await world.start();
  } catch (error) {
    await world.close();
    throw error;
  }
  return world;
}

async function tell(world: AppWorld, story: Story): Promise<void> {
  await story(world);
  expect(world.unread()).toEqual([]);
  expect(world.sandbox.problems).toEqual([]);
}
