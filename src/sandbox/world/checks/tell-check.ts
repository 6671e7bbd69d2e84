import { renderToldCheckRun } from "../../render/check.js";
import { renderHeadCommit, renderToldSuite } from "../../render/check-suite.js";
import type { CheckRun, Repository } from "../state.js";
import type { World } from "../world.js";
import { suiteOf } from "./check-suite.js";

interface CheckNews {
  readonly run: CheckRun;
  readonly sender: string;
  readonly action: "created" | "completed" | "rerequested" | "requested_action";
  readonly more?: { readonly requested_action: { readonly identifier: string } };
}

/** A `check_run` event. Only its app hears what it is asked for. */
export function tellCheckRun(
  world: World,
  repository: Repository,
  { run, sender, action, more }: CheckNews,
): void {
  const asks = action === "rerequested" || action === "requested_action";
  world.tell({
    ...{ event: "check_run", action, repository, sender },
    payload: { check_run: renderToldCheckRun(world, repository, run), ...more },
    ...(asks ? { onlyApp: run.app } : {}),
  });
}

/** A `check_suite` event, where the run that has just ended was the last of its suite. */
export async function tellSuiteEnd(
  world: World,
  repository: Repository,
  { run, sender }: Pick<CheckNews, "run" | "sender">,
): Promise<void> {
  const suite = suiteOf(repository, run);
  if (suite.status !== "completed" || !world.heard("check_suite", repository)) return;
  const head_commit = await renderHeadCommit(repository, suite.headSha);
  world.tell({
    ...{ event: "check_suite", action: "completed", repository, sender },
    payload: { check_suite: { ...renderToldSuite(world, repository, suite), head_commit } },
  });
}
