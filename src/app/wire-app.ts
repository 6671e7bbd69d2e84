import { dirname, join } from "node:path";
import type { Probot } from "probot";
import { KeptClones } from "../adapters/git/pulls/kept-clones.js";
import type { GithubApp } from "../adapters/github/app-client.js";
import type { AppIdentity } from "../adapters/github/app-directory.js";
import { DeviceLogins } from "../adapters/github/device-login.js";
import type { GitCredentials } from "../adapters/github/git-credentials.js";
import { GithubPulls } from "../adapters/github/github-pulls.js";
import { GithubThreads } from "../adapters/github/github-threads.js";
import { HookDeliveries } from "../adapters/github/hook-deliveries.js";
import { githubIssues } from "../adapters/github/issues/github-issues.js";
import { isOutOfReach } from "../adapters/github/out-of-reach.js";
import { packageVersion } from "../adapters/project/package-version.js";
import type { AppMemory } from "../adapters/store/app-memory.js";
import type { SqlInbox } from "../adapters/store/sql-inbox.js";
import { GithubSource } from "../adapters/work/github-source.js";
import type { PullVerbParts } from "../comments/pull-verbs.js";
import { retell } from "../comments/reply-once.js";
import { ShowBeads } from "../comments/show-beads.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import { claimant } from "../core/model/claim.js";
import type { CommentJob } from "../core/model/comment-job.js";
import { logWords } from "../core/replies/app/serve.js";
import type { Inbox, Job, Lane } from "../ports/inbox.js";
import { startLiveness } from "../wiring/start-liveness.js";
import { analyseChanged } from "./analysis/analyse-changed.js";
import { analysingFor } from "./analysis/analysing-for.js";
import { AnalysisJobs } from "./analysis/analysis-jobs.js";
import type { AnalysisParts } from "./analysis/handle-analysis.js";
import { LocalAgents } from "./analysis/local-agents.js";
import { registerReactions } from "./app.js";
import { handleButton } from "./comments/handle-button.js";
import { handleComment, Reach } from "./comments/handle-comment.js";
import { followIssue } from "./comments/look-at-beads.js";
import { watchOutcome } from "./comments/watch-outcome.js";
import { CheckedThreads } from "./events/checked-threads.js";
import type { Taking } from "./events/take-comment.js";
import type { Metrics } from "./http/metrics.js";
import type { AppLog } from "./http/server-log.js";
import { handleJob } from "./lanes/handle-job.js";
import type { JobEnd } from "./lanes/lane-taker.js";
import { Lanes } from "./lanes/lanes.js";
import { LinkAccounts } from "./link/link-accounts.js";
import { NO_LINKING } from "./link/no-linking.js";
import type { LandingParts } from "./pulls/handle-landing.js";
import { handleReview } from "./pulls/handle-review.js";
import { startWhy } from "./pulls/handle-why.js";
import { LandJobs } from "./pulls/land-jobs.js";
import { LookJobs } from "./pulls/look-jobs.js";
import { PullPlaces } from "./pulls/pull-places.js";
import { reviewAs } from "./pulls/review-as.js";
import { openPlace, syncOnePull } from "./pulls/sync-repository.js";
import { resumeLandings } from "./recovery/resume-landings.js";
import type { SweepPlace } from "./recovery/sweep-comments.js";
import { sweepRepository } from "./recovery/sweep-repository.js";
import { clientIdOf } from "./serve/app-identity.js";
import { openAppSigner } from "./serve/app-signer.js";
import type { Repositories } from "./serve/open-repository.js";
import type { Settings } from "./serve/read-settings.js";

/** What differs between a server that stays and a workflow run that is there for one event. */
export interface AppHost {
  readonly settings: Pick<
    Settings,
    "home" | "apiUrl" | "tokenKey" | "clonesBytes" | "signingKey" | "localAgents"
  >;
  readonly appId: number;
  readonly app: GithubApp;
  readonly identity: () => Promise<AppIdentity>;
  readonly credentials: Pick<GitCredentials, "env">;
  /** Brings deliveries to what `app.ts` registers. */
  readonly reactions: Pick<Probot, "on" | "receive">;
  readonly inbox: Inbox & Pick<SqlInbox, "hasten" | "list">;
  readonly memory: Pick<AppMemory, keyof AppMemory>;
  readonly repositories: Repositories;
  readonly metrics: Pick<Metrics, "ledgerAppends">;
  readonly log: AppLog;
  readonly now: () => number;
  onEnd(job: Job, end: JobEnd): void;
  /** What a workflow run does otherwise; null for a server that stays. */
  readonly run: RunHost | null;
}

interface RunHost {
  /** Whether the comment is this run's to answer. */
  readonly take: (job: CommentJob) => Promise<Taking>;
  readonly token: "workflow" | "app";
}

/** Everything between the inbox and GitHub, wired together; nothing runs before the lanes are started. */
export interface WiredApp {
  readonly lanes: Lanes;
  readonly clones: KeptClones;
  readonly onAdded: (lane: Lane) => void;
  /** Brings one repository to what GitHub and its ledger say now. */
  sweep(place: SweepPlace): Promise<void>;
  /** Goes on with landings that people asked for, and that the inbox does not have. */
  resume(place: SweepPlace): Promise<void>;
  /** Somebody looks what became of what the comment asked for, and tells it in its reply. */
  watch(job: CommentJob): Promise<void>;
  /** Somebody looks how the comment's pull request stands, and tells it in its reply. */
  look(job: CommentJob): Promise<void>;
  /** Reviewers that run here end. */
  abort(): void;
  /** Takes no more, and closes everything but the store. */
  stop(graceMs: number): Promise<void>;
}

export async function wireApp(host: AppHost): Promise<WiredApp> {
  const { settings, app, identity, credentials, inbox, memory, repositories, metrics, log, now, run } = host;
  const version = packageVersion();
  const threadsAt = async (place: SweepPlace) => {
    const self = await identity();
    return run === null ? new GithubThreads(app, place, self) : new CheckedThreads(app, place, self);
  };
  const pullsAt = ({ installation, repository }: SweepPlace) =>
    new GithubPulls(() => app.asInstallation(installation), repository);
  const threadsOf = ({ installation, repository }: CommentJob) =>
    threadsAt({ installation, repository: repository.fullName });
  const isOut = (place: SweepPlace, error: unknown) => isOutOfReach(app, place, error);
  // A token of a run's has no installation that could be asked for.
  const reach = new Reach(run === null ? isOut : async () => false, log);
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
  const places = new PullPlaces({ app, threadsAt, repositories, reach, clones });
  const landJobs = new LandJobs({ inbox, memory, onAdded, now });
  const lookJobs = new LookJobs({ inbox, memory, onAdded, app: host.appId, now });
  const signer = await openAppSigner(settings);
  const agents = await LocalAgents.open(settings);
  const liveness = await startLiveness(join(dirname(settings.home.appStore), "server.alive"), "nothing");
  const analysisJobs = new AnalysisJobs({ inbox, memory, onAdded, now });
  const stopping = new AbortController();
  const asking = { app, memory, now, mayAsk: run === null, botSlug: async () => (await identity()).slug };
  const analysis: AnalysisParts = {
    ...{ places, jobs: analysisJobs, agents, credentials, home: settings.home, log },
    ...{ ...asking, liveness, stopping: stopping.signal },
  };
  const landing: LandingParts = {
    ...{
      places,
      jobs: landJobs,
      looks: lookJobs,
      appId: host.appId,
      credentials,
      home: settings.home,
      signer,
      version,
      ...asking,
    },
    pushesSilently: run?.token === "workflow",
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
  const sourceAt = ({ installation, repository }: SweepPlace, config: ProjectConfig) =>
    new GithubSource(async () => {
      const octokit = await app.asInstallation(installation);
      const { release_label: label, project_id: id } = config;
      return githubIssues({ octokit, repository, label, claimant: claimant(id), now });
    });
  const syncing = { repositories, threadsAt, pullsAt, sourceAt, memory, now, reach, metrics, log };
  const comments = {
    memory,
    linking: run === null ? linking : NO_LINKING,
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
    take: run?.take ?? (async (): Promise<Taking> => "ours"),
    ownName: run === null,
    publicMemory: run !== null,
  };
  const resuming = { jobs: landJobs, places, log };
  registerReactions(host.reactions, {
    comment: (written) => handleComment(comments, written),
    review: (verdict) => handleReview(places, verdict),
    landable: (repository) => landJobs.wake(repository),
    checked: async (check) => {
      if (check === null || lookJobs.isOwn(check)) return;
      await landJobs.wake(check.repository.id);
      await lookJobs.onCheck(check);
    },
    pressed: (guid, press) =>
      handleButton(
        { ...comments, app, appId: host.appId, deliveries: new HookDeliveries(app), threadsAt },
        guid,
        press,
      ),
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
    handle: (job) =>
      handleJob({ reactions: host.reactions, comments, linking, landing, analysis, beads }, job),
    now,
    onEnd: (job, end) => host.onEnd(job, end),
    onTrouble: (error) => log.error({ err: error }, logWords.inboxFailed()),
  });
  return {
    lanes,
    clones,
    onAdded,
    sweep: (place) => sweepRepository({ syncing, landings: resuming, beads }, place),
    async resume(place) {
      const found = await openPlace(syncing, place);
      if (found !== null) await resumeLandings(resuming, found);
    },
    watch,
    look: (job) => startWhy({ inbox, onAdded }, job),
    abort: () => stopping.abort(),
    async stop(graceMs) {
      await lanes.stop(graceMs);
      liveness.end();
      await signer?.close();
    },
  };
}
