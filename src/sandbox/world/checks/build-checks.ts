import type { Repository, Runner } from "../state.js";
import type { World } from "../world.js";
import type { CiWorkflow, StandInCi } from "./stand-in-ci.js";
import { completeWorkflowRun, startWorkflowRun } from "./workflow-run.js";

/** Unless a stand-in for Actions is there, what becomes of workflows is up to the test. Repositories are named `owner/name`. */
export interface CheckBuilders {
  /** Each head of a pull request that has the workflow's file gets a run of it, as Actions would do it. */
  addWorkflow(repository: string, workflow: CiWorkflow): void;
  /** A run of a workflow on a branch, a tag or a commit, with its jobs in progress. Returns its id. */
  startRun(
    repository: string,
    run: {
      readonly head: string;
      /** `ci.yml` unless given. */
      readonly workflow?: string;
      readonly event?: string;
      readonly actor?: string;
      readonly jobs?: readonly string[];
    },
  ): Promise<number>;
  /** A machine of the repository's own, or of the organisation that it belongs to. */
  addRunner(repository: string, runner: Partial<Omit<Runner, "id">> & { readonly shared?: boolean }): void;
  /** Ends a run and all its jobs the same way, or each job as told; a job that is not there yet is added. */
  completeRun(
    repository: string,
    run: number,
    end?: string | Readonly<Record<string, string>>,
  ): Promise<void>;
}

export function checkBuilders(
  world: World,
  named: (name: string) => Repository,
  ci: StandInCi,
): CheckBuilders {
  return {
    addWorkflow: (name, workflow) => ci.add(named(name), workflow),
    startRun: async (name, { head, workflow = "ci.yml", event = "push", actor, jobs = [] }) => {
      const repository = named(name);
      const headSha = await world.resolve(repository, head);
      if (headSha === null) throw new Error(`${name} has no commit ${head}`);
      const run = await startWorkflowRun(world, repository, {
        ...{ path: `.github/workflows/${workflow}`, event, headSha, headBranch: head, jobs, inputs: {} },
        actor: actor ?? repository.owner,
      });
      return run.id;
    },
    addRunner: (name, { shared = false, ...given }) => {
      const repository = named(name);
      const holder = shared ? world.user(repository.owner) : repository;
      if (holder === null) throw new Error(`${name} belongs to nobody`);
      const runner = { id: world.newId(), name: "runner", labels: [], online: true, ...given };
      holder.runners = [...(holder.runners ?? []), runner];
    },
    completeRun: async (name, id, end = "success") => {
      const repository = named(name);
      const run = repository.workflowRuns.find((each) => each.id === id);
      if (run === undefined) throw new Error(`${name} has no workflow run ${id}`);
      const [jobs, rest] = typeof end === "string" ? [{}, end] : [end, "skipped"];
      await completeWorkflowRun(world, repository, { run, jobs, rest });
    },
  };
}
