import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, vi } from "vitest";
import type { AppWorld } from "./app-world.js";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** `koryph serve` in a process of its own, on a port that stays the same, so that webhooks find it after a restart. */
export class AppProcess {
  readonly url: string;
  readonly #world: AppWorld;
  readonly #env: NodeJS.ProcessEnv;
  #child: Child | null = null;
  #lines: string[] = [];

  private constructor(world: AppWorld, port: number) {
    this.#world = world;
    this.url = `http://127.0.0.1:${port}`;
    this.#env = {
      PATH: process.env.PATH,
      HOME: world.home,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      ...world.env,
      PORT: `${port}`,
      LOG_LEVEL: "warn",
      LOG_FORMAT: "json",
    };
  }

  /** Not started yet, but the world's webhooks go there from now on. It ends with the test at the latest. */
  static async open(world: AppWorld): Promise<AppProcess> {
    const app = new AppProcess(world, await freePort());
    world.webhook = `${app.url}/api/github/webhooks`;
    onTestFinished(() => app.kill());
    return app;
  }

  /** Listens when it returns. With `mostBlocks`, no file it writes gets larger, as on a disk that is full. */
  async start({ mostBlocks }: { readonly mostBlocks?: number } = {}): Promise<void> {
    const limit = mostBlocks === undefined ? "" : `trap '' XFSZ; ulimit -f ${mostBlocks}; `;
    const { localAgents } = this.#world.flags;
    const flags = localAgents === undefined ? [] : ["--local-agents", localAgents];
    const serve = [process.execPath, MAIN, "serve", ...flags];
    // A group of its own: who kills it kills its git as well, as a machine that goes down does.
    const child = spawn("sh", ["-c", `${limit}exec "$@"`, "sh", ...serve], {
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    createInterface({ input: child.stderr }).on("line", (line) => this.#lines.push(line));
    for await (const line of createInterface({ input: child.stdout }))
      if (line.startsWith("listening on ")) return;
    throw new Error(`the App ended before it listened: ${this.#lines.slice(-5).join("\n")}`);
  }

  /** SIGKILL for it and all its children; returns when it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await ended;
  }

  /** As the operator does it; the exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return null;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const [code] = await ended;
    return code as number | null;
  }

  /** All webhooks were sent, and nothing is left in the inbox, or in one lane of it. */
  async settled(timeoutMs: number, lane = ".*"): Promise<void> {
    const { sandbox } = this.#world;
    await sandbox.settled();
    await vi.waitFor(
      async () => {
        const text = await (await fetch(`${this.url}/metrics`)).text();
        const line = `^koryph_inbox_jobs\\{lane="${lane}",state="(?:waiting|in-hand)"\\} (\\d+)$`;
        const open = [...text.matchAll(new RegExp(line, "gm"))];
        expect(open.map(([, count]) => Number(count)).filter((count) => count > 0)).toEqual([]);
      },
      { timeout: timeoutMs, interval: 50 },
    );
    await sandbox.settled();
  }
}

/** Below the ports that systems give to outgoing connections, where it could be taken while the App is down. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
