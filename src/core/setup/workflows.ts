import type { JobKind } from "../model/job-kind.js";
import type { GithubSetup } from "./github-files.js";
import { oddMinute } from "./odd-minute.js";

const CHECKOUT = `      - uses: actions/checkout@v4
        with:
          persist-credentials: false`;

/** Waves of agents, on the team's own runner, by the clock and by hand. */
export function wavesWorkflow(
  setup: Pick<GithubSetup, "project" | "action" | "workSource" | "autoMerge" | "runner">,
): string {
  const { project, action, workSource, autoMerge, runner } = setup;
  return `name: koryph waves
on:
  workflow_dispatch:
  schedule:
    - cron: "${oddMinute(project)} */2 * * *"

permissions: {}

concurrency:
  group: koryph-waves-\${{ github.repository_id }}
  cancel-in-progress: false

jobs:
  waves:
    runs-on: [self-hosted, ${runner}]
    timeout-minutes: 350
    permissions:
      contents: write
      pull-requests: write
      issues: write
      checks: write
    steps:
${CHECKOUT}
${backlogStep(workSource)}      - uses: ${action}
        with:
          mode: run
          auto-merge: ${autoMerge}
          token: \${{ github.token }}
`;
}

function backlogStep(workSource: GithubSetup["workSource"]): string {
  if (workSource === "github") return "";
  const what = workSource === "bd" ? "install bd and give it its data" : "write .koryph/beads.jsonl";
  return `      - name: Fetch the backlog
        run: |
          echo "::error title=koryph::${what} in this step"
          exit 1
`;
}

interface JobFacts {
  /** What the label of its machine adds to that of the waves; null for a machine of GitHub's own. */
  readonly runner: string | null;
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly more?: string;
  readonly inputs?: string;
}

/** Each kind has a runner and permissions of its own; only rebase sees a key, and only what runs nothing may write. */
const JOBS: Readonly<Record<JobKind, JobFacts>> = {
  review: {
    runner: "-review",
    permissions: { contents: "write", "pull-requests": "write", checks: "write", actions: "read" },
  },
  rebase: {
    runner: null,
    permissions: { contents: "write", "pull-requests": "read", issues: "read", actions: "read" },
    more: `    environment: koryph-signing
`,
    inputs: `
          signing-key: \${{ secrets.KORYPH_SIGNING_KEY }}`,
  },
  gate: {
    runner: "-gate",
    permissions: { contents: "read", "pull-requests": "read", issues: "read", actions: "read" },
  },
};

const DISPATCHED = ["job", "kind", "head", "base", "attempt"];

/** What runners do for the App, one job for each kind, called as the App looks for it. */
export function jobsWorkflow({
  action,
  jobs,
  runner,
}: Pick<GithubSetup, "action" | "jobs" | "runner">): string {
  const given = DISPATCHED.map((name) => `          ${name}: \${{ inputs.${name} }}`).join("\n");
  const job = (kind: JobKind) => {
    const { runner: suffix, permissions, more = "", inputs = "" } = JOBS[kind];
    const runsOn = suffix === null ? "ubuntu-latest" : `[self-hosted, ${runner}${suffix}]`;
    const rights = Object.entries(permissions).map(([name, right]) => `      ${name}: ${right}`);
    return `  ${kind}:
    if: inputs.kind == '${kind}'
    runs-on: ${runsOn}
${more}    permissions:
${rights.join("\n")}
    steps:
${CHECKOUT}
      - uses: ${action}
        with:
          mode: job
${given}
          token: \${{ github.token }}${inputs}
`;
  };
  return `name: koryph
on:
  workflow_dispatch:
    inputs:
${DISPATCHED.map((name) => `      ${name}: { description: Given by the App, required: true }`).join("\n")}

permissions: {}

jobs:
${jobs.kinds.map(job).join("\n")}`;
}
