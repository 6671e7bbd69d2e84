import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { koryph } from "../../support/cli/standing-koryph.js";
import { type PullLab, pullLab, REPOSITORY } from "../../support/pulls/pull-lab.js";
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
    ...["agent_ready", "signing_ready", "ledger_ready", "token_writes", "branch_open"],
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
    ...["agent_ready", "signing_ready", "ledger_not_probed", "token_writes"],
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

test("a project file that a run would refuse is named first", async () => {
  const root = tempFolder();
  git(root, "init", "--quiet");
  await koryph(root, "init");
  const file = join(root, "koryph.project.json");
  writeFileSync(file, readFileSync(file, "utf8").replace('"manual"', '"pr"'));
  const { code, stdout } = await koryph(root, "doctor", "--no-write");
  expect(code).toBe(1);
  expect(stdout.split("\n")[0]).toMatch(/^BAD +project +.*merge_policy/);
});
