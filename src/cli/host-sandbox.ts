import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sandboxAdvice, sandboxWords } from "../core/replies/sandbox.js";
import { UserError } from "../lib/user-error.js";
import { type Sandbox, startSandbox } from "../sandbox/sandbox.js";
import { prepareSample } from "./prepare-sample.js";
import { SAMPLE } from "./sandbox-sample.js";
import type { Terminal } from "./terminal.js";

export interface SandboxWish {
  readonly port: number;
  /** Where the App takes webhooks, without a path. */
  readonly appUrl: string;
  /** Null for a temporary one. */
  readonly folder: string | null;
  readonly json: boolean;
}

/** Runs a sandbox with the sample in it until a signal comes. */
export async function hostSandbox(
  { port, appUrl, folder, json }: SandboxWish,
  terminal: Terminal,
): Promise<void> {
  const place = await openPlace(folder);
  const stopped = nextSignal();
  try {
    const sandbox = await start(port, place);
    try {
      const { env, envFile, page } = await prepareSample(sandbox, { folder: place, appUrl });
      const people = SAMPLE.people.map(([login, role]) => `${login} (${role})`);
      const lines = json
        ? [JSON.stringify({ url: sandbox.url, folder: place, env })]
        : [
            ...sandboxWords.started(sandbox.url, people, `${SAMPLE.owner}/${SAMPLE.name}`),
            ...sandboxWords.next(envFile, page),
          ];
      for (const line of lines) terminal.out(line);
      await stopped.arrived;
    } finally {
      await sandbox.close();
    }
    if (folder !== null && !json) terminal.out(sandboxWords.kept(place));
  } finally {
    stopped.forget();
    if (folder === null) await rm(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function openPlace(folder: string | null): Promise<string> {
  const wanted = folder === null ? join(tmpdir(), "koryph-sandbox-") : resolve(folder);
  try {
    if (folder === null) return await mkdtemp(wanted);
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    return await realpath(wanted);
  } catch (error) {
    throw UserError.of(sandboxAdvice.badFolder(wanted, (error as Error).message));
  }
}

async function start(port: number, folder: string): Promise<Sandbox> {
  try {
    return await startSandbox({ port, folder });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw UserError.of(sandboxAdvice.portTaken(port));
    if (code === "EACCES") throw UserError.of(sandboxAdvice.portForbidden(port));
    throw error;
  }
}

/** A second signal ends the process at once. */
function nextSignal(): { readonly arrived: Promise<void>; forget(): void } {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(130);
    asked = true;
    arrive();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    arrived,
    forget: () => {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
