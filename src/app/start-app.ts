import { dirname, join } from "node:path";
import { KeptClones } from "../adapters/git/pulls/kept-clones.js";
import { githubApp } from "../adapters/github/app-client.js";
import { DeviceLogins } from "../adapters/github/device-login.js";
import { GitCredentials } from "../adapters/github/git-credentials.js";
import { GithubPulls } from "../adapters/github/github-pulls.js";
import { GithubThreads } from "../adapters/github/github-threads.js";
import { packageVersion } from "../adapters/project/package-version.js";
import { AppMemory } from "../adapters/store/app-memory.js";
import { openStore } from "../adapters/store/open-store.js";
import { SqlInbox } from "../adapters/store/sql-inbox.js";
import type { PullVerbParts } from "../comments/pull-verbs.js";
import { retell } from "../comments/reply-once.js";
import { ShowBeads } from "../comments/show-beads.js";
import type { CommentJob } from "../core/model/comment-job.js";
import { logWords } from "../core/replies/app/serve.js";
import type { Lane } from "../ports/inbox.js";
import { startLiveness } from "../wiring/start-liveness.js";
import { analyseChanged } from "./analysis/analyse-changed.js";
import { analysingFor } from "./analysis/analysing-for.js";
import { AnalysisJobs } from "./analysis/analysis-jobs.js";
import type { AnalysisParts } from "./analysis/handle-analysis.js";
import { LocalAgents } from "./analysis/local-agents.js";
import { registerReactions } from "./app.js";
import { handleComment, Reach } from "./comments/handle-comment.js";
import { followIssue } from "./comments/look-at-beads.js";
import { watchOutcome } from "./comments/watch-outcome.js";
import { Health } from "./http/health.js";
import { Metrics } from "./http/metrics.js";
import { startServer } from "./http/server.js";
import type { ServerLog } from "./http/server-log.js";
import { storeCheck } from "./http/store-check.js";
import { handleJob } from "./lanes/handle-job.js";
import { tellJobEnd } from "./lanes/job-news.js";
import { Lanes } from "./lanes/lanes.js";
import { LinkAccounts } from "./link/link-accounts.js";
import type { LandingParts } from "./pulls/handle-landing.js";
import { handleReview } from "./pulls/handle-review.js";
import { startWhy } from "./pulls/handle-why.js";
import { LandJobs } from "./pulls/land-jobs.js";
import { LookJobs } from "./pulls/look-jobs.js";
import { PullPlaces } from "./pulls/pull-places.js";
import { reviewAs } from "./pulls/review-as.js";
import { syncOnePull } from "./pulls/sync-repository.js";
import { startForgetting } from "./recovery/forget-old.js";
import { startRecovery } from "./recovery/recovery.js";
import type { SweepPlace } from "./recovery/sweep-comments.js";
import { sweepRepository } from "./recovery/sweep-repository.js";
import { appIdentity, checkIdentity, clientIdOf } from "./serve/app-identity.js";
import { openAppSigner } from "./serve/app-signer.js";
import { Repositories } from "./serve/open-repository.js";
import type { Settings } from "./serve/read-settings.js";
import type { RunningApp } from "./serve/serve-until-stopped.js";

const GRACE_MS = 10_000;

/** Everything wired together, listening and at work when it returns. */
export async function startApp(
  settings: Settings,
  log: ServerLog,
  { now = Date.now }: { readonly now?: () => number } = {},
): Promise<RunningApp> {
  const version = packageVersion();
  const store = await openStore(settings.home.appStore);
  const inbox = new SqlInbox(store, now);
  const memory = new AppMemory(store);
  // The previous owner is dead: there is one server per home.
  await inbox.reclaim();
  const metrics = new Metrics({ version, depth: () => inbox.depth() });
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
  const credentials = new GitCredentials(app, now);
  const repositories = new Repositories({
    home: settings.home,
    version,
    serverUrl: app.serverUrl,
    actor: `app ${settings.appId}`,
    credentials: ({ installation, fullName }) => credentials.env(installation, fullName),
    now,
  });
  const threadsAt = async (place: SweepPlace) => new GithubThreads(app, place, await identity());
  const pullsAt = ({ installation, repository }: SweepPlace) =>
    new GithubPulls(() => app.asInstallation(installation), repository);
  const threadsOf = ({ installation, repository }: CommentJob) =>
    threadsAt({ installation, repository: repository.fullName });
  const reach = new Reach(app, log);
  const onAdded = (lane: Lane) => lanes.wake(lane);
  const accounts = {
    logins: new DeviceLogins({ serverUrl: app.serverUrl, apiUrl: settings.apiUrl }, now),
    clientId: () => clientIdOf(identity),
    ...{ memory, host: app.serverUrl, key: settings.tokenKey, now },
  };
  const linking = new LinkAccounts({
    ...accounts,
    inbox,
    onAdded: () => onAdded("work"),
    tell: (job, outcome) =>
      reach.whereInstalled(job, async () =>
        retell({ threads: await threadsOf(job), memory, now }, job, {
          about: ({ verb }) => verb === "link",
          outcome,
        }),
      ),
  });

  const watch = (job: CommentJob) => watchOutcome({ inbox, onAdded: () => onAdded("work"), now }, job);
  const clones = new KeptClones(settings.home.appRepositories, settings.clonesBytes);
  const places = new PullPlaces({ app, identity, repositories, reach, clones });
  const landJobs = new LandJobs({ inbox, memory, onAdded, now });
  const lookJobs = new LookJobs({ inbox, memory, onAdded, app: settings.appId, now });
  const signer = await openAppSigner(settings);
  const agents = await LocalAgents.open(settings);
  const liveness = await startLiveness(join(dirname(settings.home.appStore), "server.alive"), "nothing");
  const analysisJobs = new AnalysisJobs({ inbox, memory, onAdded, now });
  const stopping = new AbortController();
  const asking = { app, memory, now, botSlug: async () => (await identity()).slug };
  const analysis: AnalysisParts = {
    ...{ places, jobs: analysisJobs, agents, credentials, home: settings.home, log },
    ...{ ...asking, liveness, stopping: stopping.signal },
  };
  const landing: LandingParts = {
    ...{
      places,
      jobs: landJobs,
      looks: lookJobs,
      appId: settings.appId,
      credentials,
      home: settings.home,
      signer,
      version,
      ...asking,
    },
    botLogin: async () => (await identity()).botLogin,
  };
  const onPull = (job: CommentJob): PullVerbParts => ({
    pulls: places.pulls(job),
    record: places.record(job),
    reviewAs: reviewAs({ ...accounts, apiUrl: settings.apiUrl }),
    startLanding: (asked, started) => landJobs.start(asked, started),
    landingWithdrawn: async (asked) => {
      await landJobs.wake(asked.repository.id);
      await landJobs.tell(asked);
    },
    analysing: analysingFor(analysis, job),
    startLook: (asked) => startWhy({ inbox, onAdded }, asked),
    postRemark: (asked, remark) => places.postRemark(asked, remark),
  });
  const outcomeOf = (request: string) => analysisJobs.outcomeOf(request);
  const beads = { beads: new ShowBeads({ memory, now }), places, inbox, onAdded, log, now };
  const look = (job: CommentJob) =>
    job.thread.kind === "pull" ? lookJobs.start(job, job.thread.number) : followIssue(beads, job);
  const syncing = { repositories, threadsAt, pullsAt, reach, metrics, log };
  const comments = {
    memory,
    linking,
    onPull,
    metrics,
    repositories,
    threadsOf,
    reach,
    watch,
    outcomeOf,
    look,
    log,
    now,
  };
  registerReactions(app.probot, {
    comment: (written) => handleComment(comments, written),
    review: (verdict) => handleReview(places, verdict),
    landable: (repository) => landJobs.wake(repository),
    checked: async (check) => {
      if (check === null || lookJobs.isOwn(check)) return;
      await landJobs.wake(check.repository.id);
      await lookJobs.onCheck(check);
    },
    pullChanged: async (pull) => {
      if (pull === null) return;
      await landJobs.wake(pull.repository.id);
      await lookJobs.onPull(pull);
    },
    pullEnded: (pull) => syncOnePull(syncing, pull),
    headChanged: (pull) => analyseChanged(analysis, pull),
    runEnded: (repository) => analysisJobs.wake(repository),
  });
  const lanes = new Lanes({
    inbox,
    handle: (job) => handleJob({ probot: app.probot, comments, linking, landing, analysis, beads }, job),
    now,
    onEnd: (job, end) => tellJobEnd({ metrics, log }, job, end),
    onTrouble: (error) => log.error({ err: error }, logWords.inboxFailed()),
  });
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
    sweep: (place) => sweepRepository({ syncing, landings: { jobs: landJobs, places, log }, beads }, place),
  });
  return {
    url: server.url,
    async stop() {
      stopping.abort();
      await Promise.all([recovery.stop(), forgetting.stop(), server.stop(GRACE_MS)]);
      await lanes.stop(GRACE_MS);
      liveness.end();
      await signer?.close();
      await store.close();
    },
  };
}
