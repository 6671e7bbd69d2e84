import type { Command } from "../core/commands/command.js";
import { readRecalled } from "../core/commands/read-recalled.js";
import type { CommentJob } from "../core/model/comment-job.js";
import { analysisReplies } from "../core/replies/review/analysis-replies.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import type { CommandParts } from "./command-parts.js";
import type { Recorded } from "./command-recorder.js";
import { asksFor } from "./landing-requester.js";
import type { PullEffect, PullVerbParts } from "./pull-verbs.js";

interface FitFacts {
  readonly command: Command;
  readonly job: CommentJob;
  readonly state: LedgerState;
  /** The project's own. */
  readonly method: "ff" | "squash";
}

/** What a command can put on record, and what it can lead to. */
const MADE_BY: Readonly<Partial<Record<Command["verb"], readonly [readonly string[], PullEffect["kind"]?]>>> =
  {
    hold: [["hold.placed"]],
    unhold: [["hold.lifted"]],
    retry: [["control.retry"]],
    nudge: [["control.nudge"]],
    drain: [["control.drain"]],
    resize: [["control.resize"]],
    approve: [["pull.approved"], "review"],
    close: [["pull.closed"], "close"],
    review: [["job.requested"], "analyse"],
    comment: [[], "remark"],
  };

/**
 * What a memory says of a command in which whoever can push can write; null where this command cannot have come to it.
 * What a pusher could write into the ledger just so is not looked at: only what koryph would do by it on its own.
 */
export async function fitsCommand(
  parts: CommandParts,
  decided: string,
  facts: FitFacts,
): Promise<Recorded | null> {
  const read = readRecalled(decided);
  if (read === null || !("dryRun" in facts.command) || facts.command.dryRun) return null;
  const [types, effect] = madeBy(facts.command);
  if (!read.events.every(({ type }) => types.includes(type)) || read.effect?.kind !== effect) return null;
  // The ledger holds each of them against its schema before it takes it.
  const recorded = read as unknown as Recorded;
  return (await fitsThread(parts, recorded, facts)) ? recorded : null;
}

function madeBy(command: Command): readonly [readonly string[], PullEffect["kind"]?] {
  if (command.verb === "land")
    return command.cancel ? [["land.refused"], "withdraw"] : [["pull.landing"], "land"];
  if (command.verb !== "stop") return MADE_BY[command.verb] ?? [[]];
  const { hold, drain } = command;
  return [["control.stop", ...(hold ? ["hold.placed"] : []), ...(drain ? ["control.drain"] : [])]];
}

async function fitsThread(
  parts: CommandParts,
  { events, effect }: Recorded,
  { command, job, state, method: usual }: FitFacts,
): Promise<boolean> {
  const { number } = job.thread;
  const pulls = events.flatMap(({ data }) => ("pull" in data ? [data.pull] : []));
  if (effect !== undefined && "pull" in effect) pulls.push(effect.pull);
  if (pulls.some((pull) => pull !== number)) return false;
  switch (effect?.kind) {
    case "review":
      return job.comment.url.startsWith(`${effect.url}#`);
    case "remark": {
      if (command.verb !== "comment") return false;
      const { text, path, line } = command;
      const message = analysisReplies.remark({ text, login: job.author.login, url: job.comment.url });
      const { remark } = effect;
      return remark.path === path && remark.line === line && remark.message === message;
    }
    case "land":
      return effect.request === undefined
        ? fitsLanding({ ...parts.onPull, method: usual }, events, job)
        : events.length === 0 &&
            state.landings.some(({ id, pull }) => id === effect.request && pull === number);
    default:
      return true;
  }
}

/** The landing is asked for by this comment, and of a head that was there when it was written. */
async function fitsLanding(
  parts: Pick<PullVerbParts, "pulls" | "record"> & Pick<FitFacts, "method">,
  [event, ...more]: readonly NewEvent[],
  { thread, comment: { body, createdAt } }: CommentJob,
): Promise<boolean> {
  if (event?.type !== "pull.landing" || more.length > 0) return false;
  const pull = await parts.pulls.read(thread.number);
  const { head, method } = event.data;
  return pull !== null && asksFor(parts, pull, { body, createdAt, head, method });
}
