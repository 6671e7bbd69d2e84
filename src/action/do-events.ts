import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as core from "@actions/core";
import { openHome } from "../adapters/home/koryph-home.js";
import { runEvent } from "../app/events/run-event.js";
import { openLog } from "../app/http/server-log.js";
import type { ActionInputs } from "../core/config/action-inputs.js";
import { readWorkflowEvent } from "../core/config/workflow-event.js";
import { actionAdvice } from "../core/replies/surfaces/action.js";
import { eventAdvice, eventLines } from "../core/replies/surfaces/event-words.js";
import { UserError } from "../lib/user-error.js";
import { PlainLog } from "./plain-log.js";
import { runnerFacts } from "./runner-facts.js";

/** Answers the event that this workflow run was started by, as the App's server would. Nothing is checked out for it. */
export async function doEvents({ token }: ActionInputs, env: NodeJS.ProcessEnv): Promise<void> {
  const { facts, missing: unset } = runnerFacts(env);
  const { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path, GITHUB_RUN_ATTEMPT: attempt = "" } = env;
  const given = { token, GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path };
  const absent = Object.entries(given).flatMap(([each, value]) => (value ? [] : [each]));
  if (!token || !name || !path || unset.length > 0)
    throw UserError.of(actionAdvice.missing("events", [...absent, ...unset]));
  const text = await readFile(path, "utf8").catch(() => {
    throw UserError.of(eventAdvice.noFile(path));
  });
  const event = readWorkflowEvent(name, text, facts.repository);
  if (event.kind === "wrong") throw UserError.of(eventAdvice.wrong(event.problem));
  if (event.kind === "nothing") return core.info(eventLines.nothing());
  const folder = await mkdtemp(join(env.RUNNER_TEMP || tmpdir(), "koryph-"));
  // People's words get into the log, and none of them may be a command to the runner.
  const log = new PlainLog();
  log.begin();
  try {
    const { repository, apiUrl, serverUrl, runId: run } = facts;
    const end = await runEvent(event, {
      ...{ repository, apiUrl, serverUrl, token, run, attempt: Number(attempt) || 1, now: Date.now },
      home: await openHome({ ...env, KORYPH_HOME: join(folder, "home") }),
      log: openLog({
        ...{ level: "info", format: "pretty", secrets: [token] },
        write: (line) => log.say(line.trimEnd()),
      }),
    });
    const waits = end.waits.map((pull) => eventLines.waits(pull));
    for (const line of [eventLines.end(end.answered), ...waits]) log.say(line);
    await core.summary
      .addRaw([eventLines.end(end.answered), ...waits].join("\n\n"))
      .addEOL()
      .write();
    if (end.failed.length > 0) throw UserError.of(eventAdvice.unfinished(end.failed));
  } finally {
    log.end();
    await rm(folder, { recursive: true, force: true });
  }
}
