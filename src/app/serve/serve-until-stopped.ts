import { openHome } from "../../adapters/home/koryph-home.js";
import { WEBHOOK_PATH } from "../../core/model/delivery.js";
import { serveWords } from "../../core/replies/app/serve.js";
import type { ServerLog } from "../http/server-log.js";
import { nextSignal } from "./next-signal.js";
import type { Settings } from "./read-settings.js";
import { takeServerLock } from "./serve-lock.js";
import { followSmee } from "./serve-smee.js";

export interface RunningApp {
  readonly url: string;
  /** Finishes or gives back what is in hand, and closes everything. */
  stop(): Promise<void>;
}

interface Serving {
  readonly settings: Settings;
  readonly log: ServerLog;
  readonly start: (settings: Settings, log: ServerLog) => Promise<RunningApp>;
  readonly say: (line: string) => void;
}

/** For whatever still holds the process when all is stopped. */
const LAST_MS = 2_000;

/** The App at work, as the one server of its home. */
export async function startServing({ settings, log, start }: Omit<Serving, "say">): Promise<RunningApp> {
  // Proves that the home can be written before anything is promised.
  const home = await openHome({ KORYPH_HOME: settings.home.path });
  const release = await takeServerLock(home);
  try {
    const app = await start(settings, log);
    return { url: app.url, stop: () => app.stop().finally(release) };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Serves until a signal comes, and returns when everything is stopped. A second signal ends the process at once. */
export async function serveUntilStopped({ say, ...serving }: Serving): Promise<void> {
  const { settings, log } = serving;
  const signal = nextSignal(() => say(serveWords.stopping()));
  try {
    const app = await startServing(serving);
    let unfollow = async () => {};
    try {
      for (const line of introduction(settings, app.url)) say(line);
      for (const warning of settings.warnings) log.warn(warning);
      const source = settings.webhookProxy;
      if (source !== null) unfollow = followSmee({ source, target: `${app.url}${WEBHOOK_PATH}`, log });
      await signal.arrived;
    } finally {
      await unfollow();
      await app.stop();
    }
  } finally {
    signal.forget();
  }
  say(serveWords.stopped());
  setTimeout(() => process.exit(), LAST_MS).unref();
}

function introduction({ serverUrl, apiUrl, appId, keptIn, webhookProxy }: Settings, url: string): string[] {
  return [
    serveWords.listening(url),
    serveWords.github(serverUrl, apiUrl),
    serveWords.app(appId, keptIn),
    ...(webhookProxy === null ? [] : [serveWords.smee(webhookProxy)]),
  ];
}
