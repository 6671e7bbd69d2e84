import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { BypassActor } from "../../../src/sandbox/world/rules/ruleset.js";
import { issueWaves } from "../../support/action/wave-world.js";
import { APP_KEY } from "../../support/app/sandbox-lab.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 600_000 });

const REPOSITORY = "team/shop";
const PERMISSIONS = { contents: "write", pull_requests: "write", issues: "write", checks: "write" } as const;

/** Issues, an App for runners, and a ruleset of the base branch that lets these past. */
async function withApp(agents: Parameters<typeof issueWaves>[0], bypass: (app: number) => BypassActor[]) {
  const world = await issueWaves(agents);
  const { sandbox } = world;
  const app = await sandbox.addApp({
    slug: "waves",
    privateKey: APP_KEY,
    permissions: PERMISSIONS,
    events: [],
  });
  sandbox.install(app, [REPOSITORY]);
  sandbox.addRuleset(REPOSITORY, { name: "process", rules: [{ type: "deletion" }], bypass: bypass(app.id) });
  const inputs = { token: "", "app-id": `${app.id}`, "app-private-key": app.privateKey };
  return { ...world, app: app.id, inputs };
}

test("the key of an App that may bypass the base's rules is refused before anything begins", async () => {
  const bypass = (id: number): BypassActor[] => [{ type: "Integration", id, mode: "always" }];
  const { runs, inputs, lab, file, release } = await withApp({ "gh-1": "commit shoes" }, bypass);
  await release(await file({ title: "Sell shoes" }));
  const run = await runs({ inputs });
  expect(run).toMatchObject({ conclusion: "failure", outputs: { reason_code: "not_started" } });
  expect(run.annotations[0]?.message).toContain('it may bypass the ruleset "process"');
  expect(run.annotations[0]?.message).toContain("make another App for runners");
  expect(lab.starts("gh-1")).toEqual([]);
});

longTest("a run outlives its App's tokens, and its agents see neither key nor token", async () => {
  const agent = `env >"$lab/starts/env"\ncommit shoes\nmark begun\nawait later\nsay done ''`;
  const world = await withApp({ "gh-1": agent }, () => []);
  const { runs, inputs, lab, file, release, sandbox, said, app } = world;
  sandbox.switches.tokenSeconds = 6;
  await release(await file({ title: "Sell shoes" }));
  const running = runs({ inputs: { ...inputs, "auto-merge": "true" } });
  await lab.marked("begun");
  const mine = () => sandbox.state.tokens.filter((token) => token.app === app);
  const early = mine().map(({ expiresAt }) => Date.parse(expiresAt ?? ""));
  await expect.poll(() => early.every((at) => at < sandbox.world.now()), { timeout: 60_000 }).toBe(true);
  lab.allow("later");
  const run = await running;
  expect(run, run.log).toMatchObject({
    conclusion: "success",
    outputs: { outcome: "complete", merged: "1" },
  });
  expect(mine().length).toBeGreaterThan(early.length);
  expect(said(1)).toEqual([expect.stringContaining(world.tip("refs/heads/main"))]);
  expect(world.checks()).toMatchObject([{ conclusion: "success" }]);

  const [, line = ""] = inputs["app-private-key"].split("\n");
  const env = readFileSync(join(lab.top, "starts", "env"), "utf8");
  expect(env).not.toMatch(/ghs_|PRIVATE KEY/);
  expect(env).not.toContain(line);
  // Every token is masked before anything else of it is printed, although commands are switched off meanwhile.
  const masked = [...run.log.matchAll(/^::add-mask::(ghs_\w+)$/gm)].map(([, token]) => token);
  expect(masked.length).toBeGreaterThan(1);
  const open = run.log
    .split("::add-mask::")
    .slice(1)
    .map((text) => text.split("\n").slice(1).join("\n"));
  for (const token of masked) for (const text of open) expect(text).not.toContain(token);
  expect(sandbox.problems).toEqual([]);
});
