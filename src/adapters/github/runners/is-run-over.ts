import { z } from "zod";
import type { Octokit } from "../app-client.js";
import { repositoryAt } from "../repository-at.js";
import { unlessGone } from "../request-error.js";

const Run = z.object({ status: z.string().nullable(), run_attempt: z.number().default(1) });

/** Whether an attempt of a workflow run has ended. GitHub runs one attempt at a time; a run that is gone is over. */
export async function isRunOver(
  octokit: Octokit,
  repository: string,
  { run, attempt }: { readonly run: number; readonly attempt: number },
): Promise<boolean> {
  const answer = await unlessGone(
    octokit.rest.actions.getWorkflowRun({ ...repositoryAt(repository), run_id: run }),
  );
  if (answer === null) return true;
  const shown = Run.parse(answer.data);
  return shown.status === "completed" || shown.run_attempt > attempt;
}
