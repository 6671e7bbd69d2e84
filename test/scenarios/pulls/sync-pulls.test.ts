import { expect, test, vi } from "vitest";
import { told } from "../../support/landing/land-lab.js";
import { REPOSITORY } from "../../support/pulls/open-shop.js";
import { type PullLab, pullLab } from "../../support/pulls/pull-lab.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Asks GitHub for something, as a person does with its button. */
async function asks({ sandbox, token }: PullLab, method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${sandbox.url}/repos/${REPOSITORY}/pulls/${path}`, {
    method,
    headers: { authorization: `token ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
}

test("what people do with pull requests is taken in once, whichever way they merge", async () => {
  const agents = {
    merge: "commit one",
    squash: "commit one\ncommit two",
    rebase: "commit one",
    shut: "commit one",
  };
  const world = await pullLab(agents);
  const { lab, tip, pulls, sandbox } = world;
  const run = await lab.koryph("run");
  expect(run, run.stdout).toMatchObject({ code: 4, stderr: "" });
  const numberOf = (bead: string) =>
    pulls().find(({ pull }) => pull.headRef === `agent/${bead}`)?.number ?? 0;

  const before = await lab.koryph("pr-sync");
  expect(before).toMatchObject({ code: 0, stdout: "4 pull requests are as before\n", stderr: "" });
  const merges: Record<string, string> = {};
  for (const bead of ["merge", "squash", "rebase"]) {
    await asks(world, "PUT", `${numberOf(bead)}/merge`, { merge_method: bead });
    merges[bead] = tip("refs/heads/main");
  }
  await asks(world, "PATCH", `${numberOf("shut")}`, { state: "closed" });
  const synced = await lab.koryph("pr-sync", "--json");
  expect(synced).toMatchObject({ code: 0 });
  const { pulls: told1 } = JSON.parse(synced.stdout) as { pulls: Record<string, unknown>[] };
  expect(told1.map(({ bead, change, head }) => ({ bead, change, head }))).toEqual(
    expect.arrayContaining([
      ...Object.entries(merges).map(([bead, head]) => ({ bead, change: "merged", head })),
      { bead: "shut", change: "closed", head: null },
    ]),
  );
  expect(await lab.status()).toEqual({
    merge: "merged",
    squash: "merged",
    rebase: "merged",
    shut: "blocked",
  });
  for (const [bead, head] of Object.entries(merges))
    expect(lab.workLines().find(({ id }) => id === bead)).toMatchObject({
      status: "closed",
      close_reason: `landed: ${head}`,
    });
  expect(lab.names("clones")).toEqual(["shut"]);

  const again = await lab.koryph("pr-sync");
  expect(again).toMatchObject({ code: 0, stdout: "1 pull request is as before\n" });
  await asks(world, "PATCH", `${numberOf("shut")}`, { state: "open" });
  expect((await lab.koryph("pr-sync")).stdout).toMatch(/^#\d+ \(shut\): open again\n/);
  expect((await lab.status()).shut).toBe("pr-opened");
  const log = await lab.log();
  for (const bead of Object.keys(merges)) expect(told(log, bead, "pull.merged")).toHaveLength(1);
  expect(told(log, "shut", "pull.closed")).toMatchObject([
    { reason: `its pull request #${numberOf("shut")} was closed without landing` },
  ]);
  expect(sandbox.problems).toEqual([]);
});
