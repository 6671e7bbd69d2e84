import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { parse } from "yaml";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { wavesWorkflow as writtenWorkflow } from "../../../src/core/setup/workflows.js";
import type { CheckRun } from "../../../src/sandbox/world/state.js";
import { git } from "../cli/project.js";
import { type CompositeResult, type JobFate, runComposite } from "../cli/run-composite.js";
import type { EngineLab } from "../engine/engine-lab.js";
import { readBareLedger } from "../git/bare-ledger.js";
import { landLab } from "../landing/land-lab.js";
import { type IssueDesk, issueDesk } from "../pulls/issue-desk.js";
import { openShop, REPOSITORY, type Shop } from "../pulls/open-shop.js";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const NO_CONFIG = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

const PAGE = readFileSync(join(CHECKOUT, "docs", "action.md"), "utf8");
const EXAMPLE = /```yaml\n(name: waves\n[\s\S]*?)```/.exec(PAGE)?.[1] ?? "";
interface WavesWorkflow {
  readonly on: { readonly schedule: readonly { readonly cron: string }[] };
  readonly permissions: object;
  readonly concurrency: object;
  readonly jobs: {
    readonly waves: {
      readonly permissions: Readonly<Record<string, "read" | "write">>;
      readonly steps: readonly {
        readonly uses?: string;
        readonly run?: string;
        readonly with?: Readonly<Record<string, unknown>>;
      }[];
    };
  };
}

/** The workflow for scheduled waves of docs/action.md. */
export const wavesWorkflow = parse(EXAMPLE) as WavesWorkflow;

const INITIAL = writtenWorkflow({
  ...{ project: "shop", action: "OWNER/koryph@COMMIT_SHA", workSource: "github", autoMerge: true },
  runner: "koryph",
});
/** A workflow hands every input on as text. */
const texts = (inputs: object) =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, `${value}`]));

interface Job {
  readonly inputs?: Readonly<Record<string, string>>;
  /** What the machine is called: one that ran before keeps its home. */
  readonly machine?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly fate?: JobFate;
  /** In place of those that the workflow asks for. */
  readonly permissions?: Readonly<Record<string, "read" | "write">>;
}

/** A repository on a loopback GitHub with a backlog and scripted agents, and runners that run waves on it. */
export interface WaveWorld extends Shop {
  readonly lab: EngineLab;
  /** A workflow run from its checkout to its end, with the permissions of docs/action.md. */
  runs(job?: Job): Promise<CompositeResult & { readonly token: string; readonly home: string }>;
  /** What the ledger on GitHub has about a bead: the types of its events, in order. */
  told(bead: string): Promise<readonly string[]>;
  /** How often something was pushed. */
  pushes(): number;
  checks(): readonly CheckRun[];
}

/** The same with issues as beads, and the workflow that `koryph init --github` writes for them. */
export async function issueWaves(
  agents: WaveSeed["agents"],
  config: object = {},
): Promise<WaveWorld & IssueDesk> {
  const world = await waveWorld({
    agents,
    config: { work_source: "github", merge_policy: "auto", ...config },
  });
  const { permissions, steps } = (parse(INITIAL) as WavesWorkflow).jobs.waves;
  const { token: _, ...inputs } = steps.find(({ uses = "" }) => uses.startsWith("OWNER/"))?.with ?? {};
  return {
    ...world,
    ...issueDesk({ ...world, name: REPOSITORY }),
    runs: (job) => world.runs({ permissions, ...job, inputs: { ...texts(inputs), ...job?.inputs } }),
  };
}

interface WaveSeed {
  readonly agents: Parameters<typeof landLab>[0]["agents"];
  readonly beads?: Readonly<Record<string, object>>;
  readonly config?: object;
}

export async function waveWorld({ agents, beads = {}, config = {} }: WaveSeed): Promise<WaveWorld> {
  const shop = await openShop("admin");
  const { sandbox, repository } = shop;
  const lab = landLab({ agents, beads, remote: false, config: () => config });
  const basic = Buffer.from(`maria:${shop.token}`).toString("base64");
  const url = `${sandbox.url}/${REPOSITORY}.git`;
  const header = ["-c", `http.${sandbox.url}/.extraheader=AUTHORIZATION: basic ${basic}`];
  // The server is in this process, which must not stand still meanwhile.
  const push = [...header, "push", "--quiet", "--force", url, "main"];
  expect(await runGit(lab.root, push, { env: NO_CONFIG })).toMatchObject({ code: 0 });
  // Git runs this hook once for each push, however many refs it moves.
  const [hook, pushes] = [join(repository().gitDir, "hooks", "post-receive"), join(lab.top, "pushes")];
  writeFileSync(pushes, "");
  writeFileSync(hook, `#!/bin/sh\ncat >/dev/null\nprintf x >>'${pushes}'\n`, { mode: 0o755 });
  let run = 1000;
  return {
    ...{ ...shop, lab },
    async runs({ inputs = {}, machine, env = {}, fate, permissions } = {}) {
      run += 1;
      const workspace = mkdtempSync(join(lab.top, "workspace-"));
      expect(await runGit(workspace, ["clone", "--quiet", repository().gitDir, "."])).toMatchObject({
        code: 0,
      });
      // Where `actions/checkout` has it from.
      git(workspace, "remote", "set-url", "origin", url);
      // A step before the Action brings the backlog.
      mkdirSync(join(workspace, ".koryph"));
      cpSync(lab.workFile, join(workspace, ".koryph", "beads.jsonl"));
      const home = join(lab.top, `home-${machine ?? run}`);
      const asked = Object.entries(permissions ?? wavesWorkflow.jobs.waves.permissions);
      const granted = Object.fromEntries(asked.map(([name, level]) => [name.replaceAll("-", "_"), level]));
      const token = sandbox.actionsToken(REPOSITORY, { metadata: "read", ...granted });
      const result = await runComposite({
        actionPath: CHECKOUT,
        workspace,
        inputs: { mode: "run", token, ...inputs },
        env: {
          ...lab.environment,
          ...{ HOME: workspace, KORYPH_HOME: home, GITHUB_RUN_ID: `${run}`, GITHUB_REPOSITORY: REPOSITORY },
          ...{ GITHUB_API_URL: sandbox.url, GITHUB_SERVER_URL: sandbox.url, ...env },
        },
        ...(fate && { fate }),
      });
      return { ...result, token, home };
    },
    told: async (bead) => {
      const { entries } = await readBareLedger(repository().gitDir);
      const events = entries.flatMap(({ reading }) => (reading.kind === "event" ? [reading.event] : []));
      return events.filter((event) => event.bead === bead).map(({ type }) => type);
    },
    pushes: () => readFileSync(pushes, "utf8").length,
    checks: () => repository().checkRuns,
  };
}
