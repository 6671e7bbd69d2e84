import { PROJECT_FILE } from "../../core/config/project-file.js";
import { steeredLine } from "../../core/replies/control/steering.js";
import { waitsLine } from "../../core/replies/govern/denial-text.js";
import { gateWords } from "../../core/replies/land/base-gate.js";
import { landStepText } from "../../core/replies/land/land.js";
import { runningText, waitingText } from "../../core/replies/land/landing-clock.js";
import { unmetText } from "../../core/replies/land/pull/pull-terminal.js";
import { quotaLine } from "../../core/replies/quota/quota-news.js";
import { holderText } from "../../core/replies/run/engine-line.js";
import { pauseNews } from "../../core/replies/run/pauses.js";
import { interruptedLine } from "../../core/replies/run/progress.js";
import { reasonText, saidOnce } from "../../core/replies/run/reason-text.js";
import { billedText, spendAllowedLine } from "../../core/replies/runtimes/spend-words.js";
import { modelText, widthText } from "../../core/replies/schedule/schedule.js";
import type { EngineNews } from "../../engine/engine-parts.js";
import { cutText } from "../../lib/cut-text.js";
import type { Paint } from "../../lib/paint.js";
import { plainText } from "../../lib/plain-text.js";
import { clockText } from "../../lib/time-text.js";

const LONGEST_TITLE = 60;

/** One line of a run's progress, with the time it was told. */
export function newsLine(news: EngineNews, at: number, paint: Paint): string {
  return timedLine(newsText(news, paint), at, paint);
}

export function timedLine(text: string, at: number, paint: Paint): string {
  return `${paint.faint(clockText(at))}  ${text}`;
}

/** The same without the time. */
export function newsText(news: EngineNews, paint: Paint): string {
  switch (news.kind) {
    case "run":
      return paint.heading(
        `run ${news.run}${news.resumed ? " resumed" : ""}, ${widthText(news.width, news.clipped)}`,
      );
    case "stagger":
      return paint.faint(
        `agents start ${news.seconds} s apart (dispatch_stagger_seconds in ${PROJECT_FILE}; 0 starts them at once)`,
      );
    case "not-admitted":
      return paint.faint(waitsLine(news));
    case "waiting-for-lease":
      return `waiting for the lease of ${holderText(news.holder, news.host)}, ${news.seconds} s at most`;
    case "interrupted":
      return paint.warning(interruptedLine());
    case "cleared":
      return paint.faint(
        `a request to ${news.what} from ${news.at} by ${plainText(news.actor)} was stale and is cleared`,
      );
    case "steered":
      return steeredLine(news.actor, news.word);
    case "orphan":
      return `${news.bead}  left by an earlier run: ${news.done}`;
    case "dispatching": {
      const again =
        news.task !== "implement"
          ? ` for ${news.task}`
          : news.attempt > 1
            ? `, attempt ${news.attempt}${news.start === "resume" ? " (going on)" : ""}`
            : "";
      const model = modelText(news);
      const on =
        news.insteadOf === null ? model : `${model} instead of ${plainText(news.insteadOf)}, for a last try`;
      const title = cutText(plainText(news.title), LONGEST_TITLE);
      if (news.billedTo === undefined) return `${news.bead}  dispatched on ${on}${again}: ${title}`;
      return paint.warning(
        `${news.bead}  dispatched on ${on}${again}, ${billedText(news.billedTo)}: ${title}`,
      );
    }
    case "started":
      return paint.faint(`${news.bead}  agent started (pid ${news.pid})`);
    case "stopping":
      return `${news.bead}  stopping: ${plainText(news.why)}`;
    case "ended":
      return paint.faint(
        `${news.bead}  agent ended: ${saidOnce(news.outcome, ", ", plainText(news.detail))}`,
      );
    case "finished":
      return `${news.bead}  ${paint.heading("finished")}: ${news.commits === 1 ? "1 commit" : `${news.commits} commits`} at ${news.head.slice(0, 12)}${news.note ? ` (${plainText(news.note)})` : ""}`;
    case "reviewed":
      return news.verdict === "clean"
        ? `${news.bead}  reviewed: ${plainText(news.note)}`
        : paint.warning(`${news.bead}  review ${news.verdict}: ${plainText(news.note)}`);
    case "landing":
      return paint.faint(`${news.bead}  ${landStepText(news.step)}`);
    case "waiting":
      return `${news.bead}  ${waitingText(news.behind)}`;
    case "unmet":
      return `${news.bead}  ${unmetText(news.unmet)}`;
    case "landed":
      return `${news.bead}  ${paint.heading("landed")} on ${plainText(news.branch)} as ${news.head.slice(0, 12)}`;
    case "pull-opened":
      return `${news.bead}  ${paint.heading(`pull request #${news.pull}`)} is open: ${plainText(news.url)}`;
    case "refused":
      return paint.warning(`${news.bead}  not landed, ${news.result}: ${plainText(news.detail)}`);
    case "queued":
      if (news.forNextRun) return `${news.bead}  queued for the next run: ${reasonText(news.reason)}`;
      if (news.held)
        return `${news.bead}  queued until koryph unhold ${news.bead}: ${reasonText(news.reason)}`;
      return news.inSeconds === null
        ? paint.faint(`${news.bead}  waits for its runtime, at no cost to the bead`)
        : `${news.bead}  queued again in ${news.inSeconds} s: ${reasonText(news.reason)}`;
    case "runtime-paused":
      return paint.warning(pauseNews.paused(news.pause));
    case "runtime-resumed":
      return pauseNews.resumed(news.runtime);
    case "blocked":
      return paint.warning(`${news.bead}  ${news.status}: ${plainText(news.reason)}`);
    case "dropped":
      return `${news.bead}  dropped: ${plainText(news.reason)}`;
    case "quota": {
      const line = quotaLine(news);
      return news.level === "ok" ? line : paint.warning(line);
    }
    case "spending":
      return paint.warning(spendAllowedLine(news.runtime, news.key, news.budgetUsd));
    case "stuck":
      return paint.warning(`${news.bead}  nothing has moved for ${news.seconds} s`);
    case "base-gate":
      return news.red === null
        ? paint.faint(gateWords.checkingBase(news.head))
        : paint.warning(gateWords.redBase(news.head, news.red));
    case "base-command":
      return news.running === null ? "" : paint.faint(runningText(news.running));
    case "trouble":
      return paint.warning(`trouble: ${plainText(news.what)}`);
  }
}

const WAITING_EVERY_MS = 30_000;

/** Two agents that meet one limit tell of it with times that differ by less. */
const SAME_TIME_MS = 10_000;

/**
 * Whether a piece of news is worth a line. A wait is told when it begins and now and then, not at every look; that a
 * runtime is paused once, not for each agent that was at work on it.
 */
export function newsFilter(now: () => number): (news: EngineNews) => boolean {
  let told: { readonly holder: string; readonly at: number } | null = null;
  const paused = new Map<string, number | null>();
  return (news) => {
    if (news.kind === "runtime-paused") {
      const { runtime, model, kind, until } = news.pause;
      const key = `${runtime} ${model} ${kind}`;
      const before = paused.get(key);
      paused.set(key, until);
      return before === undefined || Math.abs((until ?? 0) - (before ?? 0)) >= SAME_TIME_MS;
    }
    if (news.kind === "runtime-resumed") paused.clear();
    if (news.kind !== "waiting-for-lease") return true;
    if (told?.holder === news.holder && now() - told.at < WAITING_EVERY_MS) return false;
    told = { holder: news.holder, at: now() };
    return true;
  };
}
