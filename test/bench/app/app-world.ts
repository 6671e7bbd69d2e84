import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { starterProject } from "../../../src/core/config/starter-project.js";
import type { Sandbox } from "../../../src/sandbox/sandbox.js";
import type { NewAppKeys } from "../../../src/sandbox/world/world-apps.js";

/** What ships: GitHub's descriptions, which the sandbox reads, lie beside it. */
const SHIPPED = new URL("../../../../dist/", import.meta.url);
const MAIN = fileURLToPath(new URL("cli/main.js", SHIPPED));
const SECRET = "a secret of more than sixteen letters";

export const REPOSITORY = "team/shop";

/** A loopback GitHub here, and the App in a process of its own when it is started. */
export class AppBenchWorld {
  readonly sandbox: Sandbox;
  readonly keys: NewAppKeys;
  readonly #people: typeof import("../../../src/sandbox/world/people.js");
  readonly #home = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  #app: ChildProcess | null = null;
  #url = "";

  private constructor(
    sandbox: Sandbox,
    keys: NewAppKeys,
    people: typeof import("../../../src/sandbox/world/people.js"),
  ) {
    this.sandbox = sandbox;
    this.keys = keys;
    this.#people = people;
  }

  static async open(): Promise<AppBenchWorld> {
    const { startSandbox } = (await import(
      new URL("sandbox/sandbox.js", SHIPPED).href
    )) as typeof import("../../../src/sandbox/sandbox.js");
    const people = (await import(
      new URL("sandbox/world/people.js", SHIPPED).href
    )) as typeof import("../../../src/sandbox/world/people.js");
    const sandbox = await startSandbox();
    sandbox.addUser("team", "Organization");
    const files = { "README.md": "# shop\n", "koryph.project.json": starterProject("shop", ["true"]) };
    await sandbox.addRepository({ owner: "team", name: "shop", files });
    const keys = await sandbox.addApp({
      slug: "koryph",
      permissions: { contents: "write", issues: "write", pull_requests: "write", metadata: "read" },
      events: ["issue_comment"],
      webhookSecret: SECRET,
    });
    return new AppBenchWorld(sandbox, keys, people);
  }

  /** The App's first look at what it has missed is over when it returns. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN, "serve"], {
      env: {
        PATH: process.env.PATH,
        APP_ID: `${this.keys.id}`,
        PRIVATE_KEY: this.keys.privateKey,
        WEBHOOK_SECRET: SECRET,
        PORT: "0",
        LOG_LEVEL: "error",
        GITHUB_API_URL: this.sandbox.url,
        GITHUB_SERVER_URL: this.sandbox.url,
        KORYPH_HOME: this.#home,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#app = child;
    const line = new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
    const said = await Promise.race([line, exitOf(child)]);
    this.#url = /http:\S+/.exec(`${said}`)?.[0] ?? "";
    if (this.#url === "") throw new Error("the App did not start");
    this.sandbox.setWebhook(this.keys, `${this.#url}/api/github/webhooks`);
    await until(() => this.#asked("apps/list-installations") > 0);
    await delay(200);
  }

  install(): number {
    return this.sandbox.install(this.keys, [REPOSITORY]);
  }

  opens(login: string, title: string): Promise<number> {
    return this.#people.openIssue(this.sandbox.world, REPOSITORY, login, { title, body: "" });
  }

  writes(login: string, issue: number, body: string): Promise<number> {
    return this.#people.comment(this.sandbox.world, REPOSITORY, issue, login, body);
  }

  /** Whether the App has given the comment a reaction. */
  hasReaction(issue: number, comment: number, isIt: (content: string) => boolean): boolean {
    const repository = this.sandbox.world.repository(REPOSITORY);
    const found = repository?.issues[issue - 1]?.comments.find(({ id }) => id === comment);
    return found?.reactions.some(({ content }) => isIt(content)) ?? false;
  }

  async close(): Promise<void> {
    const app = this.#app;
    if (app !== null && app.exitCode === null) {
      app.kill();
      await exitOf(app);
    }
    await this.sandbox.close();
    rmSync(this.#home, { recursive: true, force: true });
  }

  #asked(operation: string): number {
    return this.sandbox.requests.filter((request) => request.operation === operation).length;
  }
}

/** Looks every few milliseconds; throws after half a minute, because nothing here takes so long. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error("it did not come to that");
    await delay(5);
  }
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once("exit", () => resolve()));
}
