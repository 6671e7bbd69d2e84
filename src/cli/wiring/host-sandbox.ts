import { nextSignal } from "../../app/serve/next-signal.js";
import type { RunningApp } from "../../app/serve/serve-until-stopped.js";
import { sandboxAdvice, sandboxWords } from "../../core/replies/surfaces/sandbox.js";
import { UserError } from "../../lib/user-error.js";
import { type Sandbox, startSandbox } from "../../sandbox/sandbox.js";
import { type PreparedSample, prepareSample } from "../demo/prepare-sample.js";
import { openSandboxFolder } from "../demo/sandbox-folder.js";
import { SAMPLE } from "../demo/sandbox-sample.js";
import type { Terminal } from "../text/terminal.js";

export interface SandboxWish {
  readonly port: number;
  /** Whether the App runs here too. */
  readonly app: boolean;
  /** Where the App takes webhooks, without a path. */
  readonly appUrl: string;
  /** Null for a temporary one. */
  readonly folder: string | null;
  readonly json: boolean;
}

/** Runs a sandbox with the sample in it until a signal comes. */
export async function hostSandbox(
  { port, app: withApp, appUrl, folder, json }: SandboxWish,
  terminal: Terminal,
): Promise<void> {
  const place = await openSandboxFolder(folder);
  const stopped = nextSignal(() => {});
  try {
    const sandbox = await start(port, place.path);
    try {
      let prepared = await prepareSample(sandbox, { folder: place.path, appUrl });
      const app = withApp ? await startAppHere(prepared, new URL(appUrl), terminal) : null;
      try {
        // Where it listens is known only now.
        if (app !== null) prepared = await prepareSample(sandbox, { folder: place.path, appUrl: app.url });
        // Keys and tokens are about to be told: they must be the same after a crash.
        await sandbox.save();
        const news = { url: sandbox.url, app: app?.url ?? null, folder: place.path, kept: folder !== null };
        for (const line of json ? [asJson(news, prepared)] : asWords(news, prepared)) terminal.out(line);
        await stopped.arrived;
      } finally {
        await app?.stop();
      }
    } finally {
      await sandbox.close();
    }
  } finally {
    stopped.forget();
    await place.leave();
  }
  if (json) return;
  terminal.out(folder === null ? sandboxWords.gone(place.path) : sandboxWords.kept(place.path));
}

/** The App takes a while to load, and most sandboxes are used without it. */
async function startAppHere({ env }: PreparedSample, url: URL, terminal: Terminal): Promise<RunningApp> {
  const { serveHere } = await import("./serve-here.js");
  return serveHere(env, url, terminal);
}

interface News {
  readonly url: string;
  /** Where the App listens, when it runs here. */
  readonly app: string | null;
  readonly folder: string;
  readonly kept: boolean;
}

function asJson(news: News, { env, people, clone }: PreparedSample): string {
  return JSON.stringify({ ...news, env, people, clone });
}

function asWords(
  { url, app, folder, kept }: News,
  { people, envFile, page, clone }: PreparedSample,
): string[] {
  return [
    ...sandboxWords.started(url, people, `${SAMPLE.owner}/${SAMPLE.name}`),
    ...(kept ? [] : sandboxWords.temporary(folder)),
    ...(app === null ? sandboxWords.startApp(url, envFile, page) : sandboxWords.appRuns(app, page)),
    ...sandboxWords.next(clone),
  ];
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
