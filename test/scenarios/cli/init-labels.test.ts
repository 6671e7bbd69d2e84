import { expect, test, vi } from "vitest";
import { pullLab } from "../../support/pulls/pull-lab.js";

vi.setConfig({ testTimeout: 180_000 });

test("init --github makes the labels that issues need, after it has said which, and leaves those that are there alone", async () => {
  const { lab, sandbox, repository } = await pullLab({}, {}, { work_source: "github", release_label: "go" });
  repository().labels.push({ id: 1, name: "Koryph:Blocked", color: "123456", description: "ours" });
  const init = (...more: string[]) =>
    lab.koryph("init", "--github", "--action", `acme/koryph@${"a".repeat(40)}`, ...more);
  const names = () => repository().labels.map(({ name }) => name);

  const dry = await init("--dry-run");
  expect(dry.stdout).toContain("would make label go\n");
  expect(dry.stdout).toContain("label koryph:blocked is there already\n");
  expect(names()).toEqual(["Koryph:Blocked"]);

  lab.env = { ...lab.env, GITHUB_TOKEN: "" };
  const without = await init("--dry-run");
  expect(without.stdout).toContain("  gh label create 'go' --color 0e8a16 --description '");

  lab.env = { ...lab.env, GITHUB_TOKEN: sandbox.tokenFor("stranger") };
  const refused = await init();
  expect(refused.stdout).toContain("needs the write role");
  expect(names()).toEqual(["Koryph:Blocked"]);

  lab.env = { ...lab.env, GITHUB_TOKEN: sandbox.tokenFor("maria") };
  const made = await init();
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toContain("made label koryph:in-progress\n");
  expect(names()).toEqual([
    ...["Koryph:Blocked", "go", "koryph:in-progress", "no-dispatch", "P0", "P1", "P2", "P3", "P4"],
  ]);
  expect(repository().labels[0]).toMatchObject({ color: "123456", description: "ours" });
  for (const { color, description } of repository().labels) {
    expect(color).toMatch(/^[0-9a-f]{6}$/);
    expect(description).not.toBe("");
  }
  expect((await init()).stdout).not.toContain("made label");
  expect(sandbox.problems).toEqual([]);
});
