import { renderToldCheckRun } from "../../render/check.js";
import { renderToldSuite } from "../../render/check-suite.js";
import type { CheckRun, Repository } from "../state.js";
import type { World } from "../world.js";
import { suiteOf } from "./check-suite.js";

export interface CheckNews {
  readonly run: CheckRun;
  readonly sender: string;
  readonly action: "created" | "completed" | "rerequested" | "requested_action";
  readonly more?: { readonly requested_action: { readonly identifier: string } };
}

/** A `check_run` event, and the end of its suite where this was the last run. Only its app hears what it is asked for. */
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
  const suite = suiteOf(repository, run);
  if (action !== "completed" || suite.status !== "completed") return;
  world.tell({
    ...{ event: "check_suite", action: "completed", repository, sender },
    payload: { check_suite: renderToldSuite(world, repository, suite) },
  });
}
