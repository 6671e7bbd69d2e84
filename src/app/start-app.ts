import { githubApp } from "../adapters/github/app-client.js";
import { GitCredentials } from "../adapters/github/git-credentials.js";
import { packageVersion } from "../adapters/project/package-version.js";
import { AppMemory } from "../adapters/store/app-memory.js";
import { openStore } from "../adapters/store/open-store.js";
import { SqlInbox } from "../adapters/store/sql-inbox.js";
import { Health } from "./http/health.js";
import { Metrics } from "./http/metrics.js";
import { startServer } from "./http/server.js";
import type { ServerLog } from "./http/server-log.js";
import { storeCheck } from "./http/store-check.js";
import { tellJobEnd } from "./lanes/job-news.js";
import { startForgetting } from "./recovery/forget-old.js";
import { startRecovery } from "./recovery/recovery.js";
import { appIdentity, checkIdentity } from "./serve/app-identity.js";
import { Repositories } from "./serve/open-repository.js";
import type { Settings } from "./serve/read-settings.js";
import type { RunningApp } from "./serve/serve-until-stopped.js";
import { wireApp } from "./wire-app.js";

const GRACE_MS = 10_000;

/** The App as a server, listening and at work when it returns. */
export async function startApp(
  settings: Settings,
  log: ServerLog,
  { now = Date.now }: { readonly now?: () => number } = {},
): Promise<RunningApp> {
  const store = await openStore(settings.home.appStore);
  const inbox = new SqlInbox(store, now);
  const memory = new AppMemory(store);
  // The previous owner is dead: there is one server per home.
  await inbox.reclaim();
  const metrics = new Metrics({ version: packageVersion(), depth: () => inbox.depth() });
  const app = githubApp({
    ...settings,
    secret: settings.webhookSecret,
    log,
    now,
    onRequest: (news) => metrics.request(news),
  });
  const identity = appIdentity(app);
  try {
    await checkIdentity(identity, settings, log);
  } catch (error) {
    await store.close();
    throw error;
  }
  const { appId } = settings;
  const credentials = new GitCredentials(app, now);
  const wired = await wireApp({
    ...{ settings, appId, app, identity, inbox, memory, metrics, log, now, credentials, run: null },
    reactions: app.probot,
    repositories: new Repositories({
      ...{ home: settings.home, version: packageVersion(), serverUrl: app.serverUrl, now },
      actor: `app ${appId}`,
      credentials: ({ installation, fullName }) => credentials.env(installation, fullName),
    }),
    onEnd: (job, end) => tellJobEnd({ metrics, log }, job, end),
  });
  const { lanes, clones, onAdded } = wired;
  const health = new Health(
    {
      store: await storeCheck(settings.home.appStore, () => memory.noteSweep("health", now())),
      lanes: () => {
        if (!lanes.running) throw new Error("the lanes do not run");
      },
    },
    log,
  );
  // Its webhooks are not there before.
  await app.probot.ready();
  const server = await startServer({
    settings,
    health,
    metrics,
    inbox,
    onAdded,
    log,
    verify: (text, signature) => app.probot.webhooks.verify(text, signature),
  });
  lanes.start();
  const forgetting = startForgetting({ inbox, memory, log, now });
  const recovery = startRecovery({
    ...{ app, inbox, memory, now, log, onAdded },
    evict: () => clones.evict(),
    sweep: wired.sweep,
  });
  return {
    url: server.url,
    async stop() {
      wired.abort();
      await Promise.all([recovery.stop(), forgetting.stop(), server.stop(GRACE_MS)]);
      await wired.stop(GRACE_MS);
      await store.close();
    },
  };
}
