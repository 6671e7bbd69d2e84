import { createHash } from "node:crypto";
import type { GithubApp } from "../../adapters/github/app-client.js";
import type { GithubThreads } from "../../adapters/github/github-threads.js";
import { GithubPressedChecks } from "../../adapters/github/reviews/github-pressed-checks.js";
import { answerButton } from "../../comments/answer-button.js";
import { isButton } from "../../core/control/run-buttons.js";
import { type ButtonJob, readButtonJob } from "../../core/model/button-job.js";
import { buttonWords } from "../../core/replies/app/buttons.js";
import type { Deliveries } from "../../ports/deliveries.js";
import type { SweepPlace } from "../recovery/sweep-comments.js";
import type { CommentParts } from "./handle-comment.js";

export interface HandleButtonParts
  extends Pick<CommentParts, "memory" | "metrics" | "repositories" | "reach" | "log" | "now"> {
  readonly app: GithubApp;
  readonly appId: number;
  readonly deliveries: Pick<Deliveries, "sent">;
  readonly threadsAt: (place: SweepPlace) => Promise<GithubThreads>;
}

/**
 * Answers the press of a button. There is no comment to read again, so GitHub's own record of the delivery is: whoever
 * knows the webhook secret can claim that anybody pressed, and GitHub knows whether it said so.
 */
export async function handleButton(
  parts: HandleButtonParts,
  guid: string,
  told: ButtonJob | null,
): Promise<void> {
  // Other Apps' check runs have buttons too.
  if (told === null || !isButton(told.button)) return;
  const sent = await parts.deliveries.sent(guid);
  const job = sent?.event === "check_run" ? readButtonJob(sent.payload) : null;
  if (sent === null || job === null) throw new Error(buttonWords.unconfirmed());
  const at = { installation: job.installation, repository: job.repository.fullName };
  await parts.reach.whereInstalledAt(at, async () => {
    const threads = await parts.threadsAt(at);
    const { memory, now, metrics, repositories, app, appId } = parts;
    const answered = await answerButton(
      {
        ...{ memory, now, threads, app: appId },
        checks: new GithubPressedChecks(() => app.asInstallation(at.installation), at.repository),
        digest: (text) => createHash("sha256").update(text).digest(),
        onAppended: () => metrics.ledgerAppends(1),
        open: () => repositories.open({ installation: at.installation, ...job.repository }, threads),
      },
      { ...job, guid, at: sent.at },
    );
    parts.log.info({ by: job.by.login, button: job.button, answered }, buttonWords.pressed());
  });
}
