import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { APP_PERMISSIONS } from "../../../src/core/model/app-permissions.js";
import { eventsWorkflow } from "../../../src/core/setup/events-workflow.js";
import { jobsWorkflow, wavesWorkflow } from "../../../src/core/setup/workflows.js";
import { git } from "../../support/cli/project.js";
import { koryph, koryphWith } from "../../support/cli/standing-koryph.js";
import { pathWithoutBubblewrap } from "../../support/contained.js";
import { REPOSITORY } from "../../support/pulls/open-shop.js";
import { type PullLab, pullLab } from "../../support/pulls/pull-lab.js";
import { tempFolder } from "../../support/temp-folder.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

interface Told {
  readonly safe: boolean;
  readonly diagnoses: readonly {
    readonly code: string;
    readonly level: string;
    readonly fix: string | null;
  }[];
}

async function doctor({ lab }: PullLab, ...args: string[]) {
  const answer = await lab.koryph("doctor", "--json", ...args);
  expect(answer.stderr).toBe("");
  const told = JSON.parse(answer.stdout) as Told;
  return { code: answer.code, told, codes: told.diagnoses.map(({ code }) => code) };
}

test("a repository that is set up as the docs say is safe, and what is wrong is named with a way to mend it", async () => {
  const world = await pullLab({});
  const { lab, sandbox, repository } = world;
  const all = () => git(repository().gitDir, "for-each-ref", "--format=%(refname)").split("\n");
  const before = all();
  const open = await doctor(world);
  expect(open).toMatchObject({ code: 0, told: { safe: true } });
  expect(open.codes).toEqual([
    ...["agent_ready", "containment_off", "signing_ready", "ledger_ready", "token_writes", "branch_open"],
  ]);
  // What was tried on the remote is gone.
  expect(all()).toEqual(before);

  sandbox.addRuleset(REPOSITORY, {
    name: "process",
    rules: [
      { type: "pull_request", parameters: { required_approving_review_count: 1 } },
      { type: "required_status_checks", parameters: { required_status_checks: [{ context: "test" }] } },
    ],
  });
  const closed = await doctor(world, "--no-write");
  expect(closed).toMatchObject({ code: 1, told: { safe: false } });
  expect(closed.codes).toEqual([
    ...["agent_ready", "containment_off", "signing_ready", "ledger_not_probed", "token_writes"],
    ...["no_bypass", "check_by_anyone", "check_unseen"],
  ]);
  for (const { level, fix } of closed.told.diagnoses) if (level !== "good") expect(fix).not.toBeNull();

  sandbox.setRole(REPOSITORY, "maria", "read");
  const reader = await doctor(world);
  expect(reader.code).toBe(1);
  expect(reader.codes).toEqual(expect.arrayContaining(["ledger_refuses_create", "token_only_reads"]));

  lab.env = { ...lab.env, GITHUB_TOKEN: "" };
  const words = await lab.koryph("doctor", "--no-write");
  expect(words).toMatchObject({ code: 1, stderr: "" });
  expect(words.stdout).toContain("next: set GITHUB_TOKEN or GH_TOKEN, or run gh auth login");
});

test("the App, the clock and the machines are judged as GitHub shows them, and what is hidden is not passed", async () => {
  const world = await pullLab({}, {}, { jobs: { workflow: "koryph.yml", kinds: [] } });
  const { lab, sandbox, repository } = world;
  const app = await sandbox.addApp({
    ...{ slug: "koryph", permissions: APP_PERMISSIONS, events: ["issue_comment"] },
  });
  const [action, options] = [
    `acme/koryph@${"a".repeat(40)}`,
    { project: "shop", autoMerge: false, runner: "koryph" } as const,
  ];
  const setup = {
    ...options,
    action,
    workSource: "github",
    jobs: { workflow: "koryph.yml", kinds: [] },
  } as const;
  await sandbox.commit(REPOSITORY, "main", {
    ".github/workflows/koryph-waves.yml": wavesWorkflow(setup),
    ".github/workflows/koryph.yml": jobsWorkflow(setup),
    ".github/workflows/koryph-events.yml": eventsWorkflow({ ...setup, checks: [] }),
  });
  sandbox.addRuleset(REPOSITORY, {
    name: "process",
    rules: [{ type: "pull_request" }],
    bypass: [{ type: "Integration", id: app.id, mode: "pull_request" }],
  });
  const stranger = await doctor(world, "--no-write");
  expect(stranger.codes).toEqual([
    ...[
      "agent_ready",
      "containment_off",
      "signing_ready",
      "ledger_not_probed",
      "token_writes",
      "app_lacks_events",
    ],
    ...[
      "no_bypass",
      "app_bypass_unknown",
      "gate_unshown",
      "workflow_ready",
      "events_beside_app",
      "schedule_new",
      "schedule_new",
      "runner_unknown",
      "runner_public",
    ],
  ]);

  sandbox.install(app, [REPOSITORY]);
  lab.env = { ...lab.env, APP_ID: String(app.id), PRIVATE_KEY: app.privateKey };
  repository().switchedOff = { ".github/workflows/koryph-waves.yml": "disabled_inactivity" };
  const asApp = await doctor(world, "--no-write");
  expect(asApp.codes).toEqual(expect.arrayContaining(["app_bypasses_pulls_only", "workflow_disabled"]));
  for (const { level, fix } of asApp.told.diagnoses) if (level !== "good") expect(fix).not.toBeNull();

  sandbox.setRole(REPOSITORY, "maria", "admin");
  sandbox.addRunner(REPOSITORY, { labels: ["koryph"], shared: true });
  sandbox.addUser("team").owners = ["maria"];
  const owner = await doctor(world, "--no-write");
  expect(owner.codes).toEqual(expect.arrayContaining(["bypass_listed", "runner_ready"]));
  expect(sandbox.problems).toEqual([]);
});

test("a project file that a run would refuse is named first", async () => {
  const root = tempFolder();
  git(root, "init", "--quiet");
  await koryph(root, "init");
  const file = join(root, "koryph.project.json");
  writeFileSync(file, readFileSync(file, "utf8").replace('"manual"', '"pr"'));
  const { code, stdout } = await koryph(root, "doctor", "--no-write");
  expect(code).toBe(1);
  expect(stdout.split("\n")[0]).toMatch(/^BAD +project +.*merge_policy/);

  const wall = (containment: string) => {
    const config = { ...JSON.parse(readFileSync(file, "utf8")), merge_policy: "manual", containment };
    writeFileSync(file, JSON.stringify(config));
    return koryphWith({ PATH }, root, "doctor", "--no-write");
  };
  const PATH = pathWithoutBubblewrap();
  expect((await wall("required")).stdout).toMatch(
    /^BAD +agents +containment is required, .*\(containment_missing\)$/m,
  );
  expect((await wall("preferred")).stdout).toMatch(
    /^warn +agents +nothing contains agents here, .*\(containment_missing\)$/m,
  );
  // There is no remote to try anything on, and nothing that was left out.
  const { stdout: said } = await wall("off");
  expect(said).toMatch(/^warn +agents +containment is off: /m);
  expect(said).toMatch(/^ok +ledger +there is no remote, so the ledger stays in this repository$/m);
  expect(said).toMatch(/^ok +GitHub +there is no remote, so nothing on GitHub is looked at$/m);
  expect(said).not.toMatch(/^\?|not looked at\)/m);
  git(root, "remote", "add", "origin", "https://gitlab.example/acme/shop.git");
  expect((await koryph(root, "doctor", "--no-write")).stdout).toMatch(
    /^ok +GitHub +gitlab.example is none that koryph knows as GitHub, so /m,
  );
});
