import { tokenApp } from "../../adapters/github/apps/token-app.js";
import { GithubThreads } from "../../adapters/github/github-threads.js";
import { gitTokenEnv } from "../../adapters/github/runners/git-token-env.js";
import { isRunOver } from "../../adapters/github/runners/is-run-over.js";
import type { KoryphHome } from "../../adapters/home/koryph-home.js";
import { packageVersion } from "../../adapters/project/package-version.js";
import { openStore } from "../../adapters/store/open-store.js";
import { SqlInbox } from "../../adapters/store/sql-inbox.js";
import type { WorkflowEvent } from "../../core/config/workflow-event.js";
import { type CommentJob, commentKey, commentRef, readIssueComment } from "../../core/model/comment-job.js";
import { DELIVERIES_KEPT_MS } from "../../core/recovery/choose-redeliveries.js";
import { logWords } from "../../core/replies/app/serve.js";
import { eventAdvice } from "../../core/replies/surfaces/event-words.js";
import { UserError } from "../../lib/user-error.js";
import { answeredBefore } from "../comments/answered-before.js";
import { OUTCOME_JOB } from "../comments/watch-outcome.js";
import type { AppLog } from "../http/server-log.js";
import { WHY_JOB } from "../pulls/handle-why.js";
import { Repositories } from "../serve/open-repository.js";
import { wireApp } from "../wire-app.js";
import { awaitQuiet } from "./await-quiet.js";
import { bringEvent } from "./bring-event.js";
import { eventReactions } from "./event-reactions.js";
import { JobEnds } from "./job-ends.js";
import { LedgerMemory } from "./ledger-memory.js";
import { type RunAttempt, type Taking, takeComment } from "./take-comment.js";

export interface EventRun extends RunAttempt {
  /** `owner/name`. */
  readonly repository: string;
  readonly apiUrl: string;
  /** Without a slash at the end. */
  readonly serverUrl: string;
  readonly token: string;
  /** Of this run alone. */
  readonly home: KoryphHome;
  readonly log: AppLog;
  readonly now: () => number;
}

export interface EventEnd {
  /** Comments that this run took. */
  readonly answered: number;
  /** Pull requests whose landing waits; other runs go on with them. */
  readonly waits: readonly number[];
  /** What could not be brought to its end, and why. */
  readonly failed: readonly string[];
}

const GRACE_MS = 5_000;

/** The comment that the event is about; null for another event. */
function startedBy(event: WorkflowEvent, installation: number): string | null {
  if (event.kind !== "delivery" || event.name !== "issue_comment") return null;
  const written = readIssueComment({ ...event.payload, installation: { id: installation } });
  return written && commentKey(commentRef(written));
}

/** The App, for as long as one event takes. */
export async function runEvent(
  event: Exclude<WorkflowEvent, { kind: "nothing" }>,
  run: EventRun,
): Promise<EventEnd> {
  const { home, log, now } = run;
  const { app, kind, identity, place, threads, repositoryId, repositories, credentials, ledger } =
    await openEventPlace(run);
  const memory = new LedgerMemory({ ledger, repository: run.repository, now });
  const store = await openStore(home.appStore, now());
  const inbox = new SqlInbox(store, now);
  const ends = new JobEnds(log);
  const taken = new Map<string, Taking>();
  const take = async (job: CommentJob): Promise<Taking> => {
    const comment = commentKey(commentRef(job));
    const octokit = await app.asInstallation(place.installation);
    const isOver = (other: RunAttempt) => isRunOver(octokit, run.repository, other);
    const isFirstHand = (key: string) => run.attempt === 1 && key === startedBy(event, place.installation);
    const isShown = (asked: CommentJob) => answeredBefore({ threads, memory }, asked);
    const parts = { ledger, self: run, isOver, isFirstHand, isShown, now };
    const taking = taken.get(comment) ?? (await takeComment(parts, job));
    if (taking === "others") return taking;
    taken.set(comment, taking);
    memory.taken(job);
    return taking;
  };
  try {
    const wired = await wireApp({
      settings: {
        ...{ home, apiUrl: run.apiUrl, tokenKey: null, signingKey: null },
        ...{ clonesBytes: Number.POSITIVE_INFINITY, localAgents: [] },
      },
      ...{
        appId: identity.id,
        app,
        identity: async () => identity,
        credentials,
        inbox,
        memory,
        repositories,
      },
      ...{ reactions: eventReactions(), metrics: { ledgerAppends: () => {} }, log, now },
      run: { take, token: kind },
      onEnd: (job, end) => ends.note(job, end),
    });
    try {
      await memory.begin();
      const forgotten = await memory.forgottenAt();
      if (event.kind === "sweep" && forgotten > now() - DELIVERIES_KEPT_MS)
        log.warn(logWords.forgotten(new Date(forgotten).toISOString()));
      const name = `run ${run.run} ${run.attempt}`;
      const troubles = await bringEvent(event, {
        ...{ wired, memory, inbox, app, threads, place, repositoryId, name, now },
      });
      for (const error of troubles) ends.trouble(error);
      wired.lanes.start();
      await awaitQuiet({ inbox, onAdded: wired.onAdded, now });
    } finally {
      wired.abort();
      await wired.stop(GRACE_MS);
    }
    await settleReplies(memory, inbox);
    await ledger.share("now");
    const { state } = await ledger.observe([]);
    const waits = state.landings.flatMap((each) => (each.kind === "land-pull" ? (each.pull ?? []) : []));
    return { answered: taken.size, waits, failed: ends.failures() };
  } finally {
    await store.close();
  }
}

/** There is one token, which reaches one repository: no installation is asked for by its number. */
const INSTALLATION = 0;

async function openEventPlace(run: EventRun) {
  const { repository, serverUrl, token, home, now } = run;
  const { app, kind, identity } = await tokenApp(run);
  if (kind === "person") throw UserError.of(eventAdvice.personalToken(identity.slug));
  const place = { installation: INSTALLATION, repository };
  const threads = new GithubThreads(app, place, identity);
  const credentials = { env: async () => gitTokenEnv(serverUrl, token) };
  const repositories = new Repositories({
    ...{ home, version: packageVersion(), serverUrl, actor: `run ${run.run}`, now },
    credentials: credentials.env,
  });
  const repositoryId = await threads.repositoryId();
  const at = { installation: INSTALLATION, fullName: repository, id: repositoryId };
  const opened = await repositories.open(at, threads);
  if (opened.kind === "refuse") throw UserError.of(eventAdvice.refused(opened.said, opened.next));
  const { ledger } = opened;
  await ledger.refresh();
  return { app, kind, identity, place, threads, repositoryId, repositories, credentials, ledger };
}

/** A reply in which everything is told is nobody's to edit any more. */
async function settleReplies(memory: LedgerMemory, inbox: Pick<SqlInbox, "list">): Promise<void> {
  const left = new Set((await inbox.list()).map(({ id }) => id));
  for (const { job } of await memory.owed()) {
    const comment = commentKey(commentRef(job));
    if (![OUTCOME_JOB, WHY_JOB].some((name) => left.has(`${name} ${comment}`))) await memory.settle(comment);
  }
}
