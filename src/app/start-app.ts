import { createHash } from "node:crypto";
import { githubApp } from "../adapters/github/app-client.js";
import { AppDirectory, type AppIdentity } from "../adapters/github/app-directory.js";
import { DeviceLogins } from "../adapters/github/device-login.js";
import { GitCredentials } from "../adapters/github/git-credentials.js";
import { GithubThreads } from "../adapters/github/github-threads.js";
import { isOutOfReach } from "../adapters/github/out-of-reach.js";
import { packageVersion } from "../adapters/project/package-version.js";
import { AppMemory } from "../adapters/store/app-memory.js";
import { openStore } from "../adapters/store/open-store.js";
import { SqlInbox } from "../adapters/store/sql-inbox.js";
import { storePath } from "../adapters/store/store-path.js";
import { asWritten } from "../core/heal/as-written.js";
import { type CommentJob, commentRef, readCommentJob, SWEPT_COMMENT } from "../core/model/comment-job.js";
import { threadKey } from "../core/model/thread.js";
import { reachWords } from "../core/replies/reach.js";
import type { Row } from "../core/talk/row.js";
import type { Job, Lane } from "../ports/inbox.js";
import { type AnswerParts, answerComment } from "../pulls/answer-comment.js";
import { retell } from "../pulls/retell.js";
import { checkIdentity } from "./check-identity.js";
import { repeat, startHealing } from "./heal.js";
import { Health } from "./health.js";
import { tellJobEnd } from "./job-news.js";
import { Lanes } from "./lanes.js";
import { LINK_JOB, LinkAccounts } from "./link-accounts.js";
import { Metrics } from "./metrics.js";
import { MovedAway, Repositories } from "./open-repository.js";
import type { Settings } from "./read-settings.js";
import type { RunningApp } from "./serve-until-stopped.js";
import { startServer } from "./server.js";
import type { ServerLog } from "./server-log.js";
import { storeCheck } from "./store-check.js";

const GRACE_MS = 10_000;
const HOUR_MS = 60 * 60 * 1000;
/** GitHub delivers again for three days, and not later. */
const JOBS_KEPT_MS = 4 * 24 * HOUR_MS;
const TALK_KEPT_MS = 7 * 24 * HOUR_MS;

/** Everything wired together, listening and at work when it returns. */
export async function startApp(
  settings: Settings,
  log: ServerLog,
  { now = Date.now }: { readonly now?: () => number } = {},
): Promise<RunningApp> {
  const version = packageVersion();
  const store = await openStore(storePath(settings.home.path));
  const inbox = new SqlInbox(store, now);
  const memory = new AppMemory(store);
  // Whoever had it before us is dead: there is one server per home.
  await inbox.reclaim();
  const metrics = new Metrics({ version, depth: () => inbox.depth() });
  const app = githubApp({
    ...settings,
    secret: settings.webhookSecret,
    log,
    now,
    onRequest: (news) => metrics.request(news),
  });
  const identity = once(() => new AppDirectory(app).identity());
  try {
    await checkIdentity(identity, settings, log);
  } catch (error) {
    await store.close();
    throw error;
  }
  const credentials = new GitCredentials(app, now);
  const repositories = new Repositories({
    home: settings.home,
    version,
    serverUrl: app.serverUrl,
    actor: `app ${settings.appId}`,
    credentials: ({ installation, fullName }) => credentials.env(installation, fullName),
    now,
  });
  const threadsOf = async ({ installation, repository }: CommentJob) =>
    new GithubThreads(app, { installation, repository: repository.fullName }, await identity());
  const onAdded = (lane: Lane) => lanes.wake(lane);
  const linking = new LinkAccounts({
    logins: new DeviceLogins({ serverUrl: app.serverUrl, apiUrl: settings.apiUrl }, now),
    memory,
    inbox,
    onAdded: () => onAdded("work"),
    clientId: async () => clientIdOf(await identity()),
    host: app.serverUrl,
    key: settings.tokenKey,
    now,
    tell: (job, outcome) =>
      whereInstalled(job, async () =>
        retell({ threads: await threadsOf(job), memory, now }, job, { verb: "link", outcome }),
      ),
  });

  /** Where the App was taken off or suspended since, there is nothing to be done and nobody to be told. */
  async function whereInstalled(job: CommentJob, act: () => Promise<void>): Promise<void> {
    const place = { installation: job.installation, repository: job.repository.fullName };
    try {
      await act();
    } catch (error) {
      if (error instanceof MovedAway) {
        log.warn({ ...place, comment: job.comment.url }, reachWords.movedAway());
        return;
      }
      if (!(await isOutOfReach(app, place, error))) throw error;
      log.warn(
        { ...place, comment: job.comment.url },
        "a comment was left alone: the App is not installed there",
      );
    }
  }

  async function handle(job: Job): Promise<void> {
    if (job.name === LINK_JOB) return linking.poll(job);
    const found = readCommentJob(job.name, JSON.parse(job.payload));
    if (found === null) return;
    const threads = await threadsOf(found);
    const { installation, repository } = found;
    const parts: AnswerParts = {
      threads,
      memory,
      linking,
      now,
      onAppended: () => metrics.ledgerAppends(1),
      digest: (text) => createHash("sha256").update(text).digest(),
      open: () => repositories.open({ installation, ...repository }, threads),
      warn: (what, error) => log.warn({ err: error }, what),
    };
    await whereInstalled(found, async () => {
      const swept = job.name === SWEPT_COMMENT;
      const comment = swept ? asWritten(found, await threads.read(commentRef(found))) : found;
      const rows = comment === null ? null : await answerComment(parts, comment);
      if (comment !== null && rows !== null) log.info(answerFacts(comment, rows), "a comment was answered");
    });
  }

  const lanes = new Lanes({
    inbox,
    handle,
    now,
    onEnd: (job, end) => tellJobEnd({ metrics, log }, job, end),
    onTrouble: (error) => log.error({ err: error }, "the inbox failed, and is asked again"),
  });
  const health = new Health(
    {
      store: await storeCheck(storePath(settings.home.path), () => memory.noteSweep("health", now())),
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
  const tidying = repeat(async () => {
    try {
      await inbox.forget(now() - JOBS_KEPT_MS);
      await memory.forget(now() - TALK_KEPT_MS);
    } catch (error) {
      log.warn({ err: error }, "what is old could not be forgotten");
    }
  }, HOUR_MS);
  const healing = startHealing({ app, inbox, memory, now, log, onAdded });
  return {
    url: server.url,
    async stop() {
      await Promise.all([healing.stop(), tidying.stop(), server.stop(GRACE_MS)]);
      await lanes.stop(GRACE_MS);
      await store.close();
    },
  };
}

function clientIdOf({ clientId }: AppIdentity): string {
  if (clientId === null) throw new Error("GitHub does not tell the App's client id");
  return clientId;
}

/** For the log: who asked for what, and what came of it, in none of their words. */
function answerFacts(job: CommentJob, rows: readonly Row[]) {
  return {
    by: job.author.login,
    thread: threadKey(commentRef(job).thread),
    commands: rows.map(({ verb, result, code }) => [verb, result, code].filter(Boolean).join(" ")),
  };
}

/** Asked until it was answered once. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null;
  return () => {
    known ??= ask().catch((error) => {
      known = null;
      throw error;
    });
    return known;
  };
}
