import { join } from "node:path";
import * as core from "@actions/core";
import { ProcessGate } from "../adapters/gate/process-gate.js";
import { checkPaths, dropCheck, layCheck } from "../adapters/git/landing/lay-check.js";
import { GitPullRepo } from "../adapters/git/pulls/git-pull-repo.js";
import { gateWords } from "../core/replies/land/base-gate.js";
import { lastLines } from "../core/replies/land/gate.js";
import { jobAdvice, jobLines } from "../core/replies/surfaces/job-words.js";
import { plainText } from "../lib/plain-text.js";
import { UserError } from "../lib/user-error.js";
import type { TakenJob } from "../pulls/jobs/take-job.js";
import { openContainment } from "../wiring/open-containment.js";
import { READER } from "../wiring/reader-identity.js";
import type { RunnerTools } from "./do-job.js";
import { whileAlive } from "./while-alive.js";

const MOST_LINES = 200;

/** Runs the project's own commands on exactly the head that is to land. How this step ends is the verdict. */
export async function doGate(tools: RunnerTools, { id, pull, head, shown }: TakenJob): Promise<void> {
  const { project, home, url, gitEnv, env } = tools;
  const { config } = project;
  const [projectHome, gitDir] = [home.projectHome(config.project_id), home.repository(config.project_id)];
  const repo = new GitPullRepo({
    ...{ gitDir, scratch: join(projectHome, "scratch"), url, env: gitEnv, identity: READER, signer: null },
    // With all its files: the commands need them.
    engines: { identity: READER },
  });
  const { branch, fork } = shown.head;
  await repo.fetch(shown.base.branch, { number: pull, branch, fork });
  const { processes } = await openContainment(config, "required", [home.path, project.root]);
  const gate = new ProcessGate({
    processes,
    checkOut: (name, at) =>
      layCheck(checkPaths(projectHome, name), { repo: gitDir, head: at, identity: READER }),
    dropCheckout: (name) => dropCheck(checkPaths(projectHome, name)),
    objects: join(gitDir, "objects"),
    environment: env,
  });
  const answer = await whileAlive(join(projectHome, `job-${id}.alive`), (life) =>
    gate.run({
      ...{
        bead: "job",
        head,
        bootstrap: config.bootstrap.length,
        accept: "none",
        commands: [...config.bootstrap, ...config.gate],
      },
      ...{ folder: join(projectHome, "gates", id), wallSeconds: config.gate_timeout_seconds },
      ...{ livenessFile: life.file, leaseSeconds: life.seconds, abort: life.abort },
      told: (step) => core.info(gateWords.step(step)),
    }),
  );
  if (answer.kind === "green") {
    const line = jobLines.gateGreen(pull, head);
    core.info(line);
    await core.summary.addRaw(`${line}\n`).write();
    return;
  }
  if (answer.kind === "stopped") throw UserError.of(jobAdvice.failed("interrupted", ""));
  // Behind a bar: a line of it could be a command to the runner.
  for (const line of lastLines(answer.output, MOST_LINES).split("\n")) core.info(`| ${plainText(line)}`);
  throw UserError.of(jobAdvice.gateRed(answer.command));
}
