import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { ACTIONS_BOT } from "../../../src/sandbox/world/actions-app-id.js";
import { openSandbox } from "../../support/app/sandbox-lab.js";

const SHOP = "team/shop";
const CI = { file: "ci.yml", job: "test", command: ["test", "!", "-e", "red"] } as const;

async function shop() {
  const sandbox = await openSandbox();
  const files = { "README.md": "# shop\n", ".github/workflows/ci.yml": "on: pull_request\n" };
  const repository = await sandbox.addRepository({ owner: "team", name: "shop", files });
  const opens = async (
    branch: string,
    given: Readonly<Record<string, string | null>> = {},
    author = "ann",
  ) => {
    await sandbox.commit(SHOP, branch, { [`${branch}.txt`]: "x\n", ...given }, { author });
    return sandbox.openPull(SHOP, { author, head: branch, title: branch });
  };
  const ends = () =>
    repository.workflowRuns.map(({ headBranch, conclusion }) => `${headBranch} ${conclusion}`);
  return { sandbox, repository, opens, ends };
}

test("each head of a pull request gets a run of its own, green or red by what is in it", async () => {
  const { sandbox, repository, opens, ends } = await shop();
  sandbox.addWorkflow(SHOP, CI);
  const { pull } = await opens("hats");
  await opens("shoes", { red: "x\n" });
  await expect.poll(ends).toEqual(["hats success", "shoes failure"]);
  await sandbox.commit(SHOP, "shoes", { red: null }, { author: "ann" });
  await expect.poll(ends).toEqual(["hats success", "shoes failure", "shoes success"]);
  const [run] = repository.workflowRuns;
  expect(run).toMatchObject({
    ...{ path: ".github/workflows/ci.yml", event: "pull_request", actor: "ann", headSha: pull.headSha },
  });
  const [job] = repository.checkRuns;
  expect(job).toMatchObject({ name: "test", workflowRun: run?.id, headSha: pull.headSha });
  expect(readdirSync(sandbox.folder).filter((name) => name.startsWith("job-"))).toEqual([]);
});

test("a head without the file gets none, nor does what a workflow's own token has pushed", async () => {
  const { sandbox, opens, ends } = await shop();
  sandbox.addWorkflow(SHOP, CI);
  await opens("bare", { ".github/workflows/ci.yml": null });
  await opens("agent", {}, ACTIONS_BOT);
  await opens("hats");
  await expect.poll(ends).toEqual(["hats success"]);
});

test("what an earlier process left is gone on with: a head without a run, and a run in progress", async () => {
  const { sandbox, opens, ends } = await shop();
  await opens("hats");
  const { pull } = await opens("shoes");
  await sandbox.startRun(SHOP, { head: pull.headSha, jobs: ["test"] });
  sandbox.addWorkflow(SHOP, CI);
  await expect.poll(ends).toEqual([`${pull.headSha} success`, "hats success"]);
});
