import { expect, test, vi } from "vitest";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab } from "../../support/engine/engine-lab.js";

vi.setConfig({ testTimeout: 60_000 });

const spends = (usd: number) => `printf '{"koryph":{"cost_usd":${usd}}}\\n'\n${commitOnce}`;

test("metrics show places, and costs by model, epic and bead, as text, JSON and for Prometheus", async () => {
  const lab = new EngineLab({
    agents: { a: spends(2), b: spends(0.5), c: spends(0.25) },
    beads: { a: { parent: "e" }, b: { parent: "e" } },
  });
  expect((await lab.koryph("metrics")).stdout).toContain("no run yet\n");
  await lab.koryph("run");

  const { stdout } = await lab.koryph("metrics", "-n", "2");
  expect(stdout.replace(/run \S+:/, "run R:")).toMatchInlineSnapshot(`
    "machine: 0 of 8 agents at work
    account claude: 0 of 8 (fixed)
    account shell: 0 of 8 (fixed)

    run R: 3 agents, $2.75
      model  shell/none    3 agents  $2.75
      epic   e             2 agents  $2.50
      bead   a             1 agent   $2.00
      bead   b             1 agent   $0.50
      bead   … and 1 more  1 agent   $0.25
    cache hits: unknown, since no agent's program has told its tokens
    "
  `);

  expect((await lab.koryph("status")).stdout).toContain("\ncost by model: shell/none $2.75\n");

  const { stdout: json } = await lab.koryph("metrics", "--json");
  expect(JSON.parse(json)).toMatchObject({
    ...{ schema_version: 1, project_id: "lab", machine_problem: null, quota: [], cache_hit_rate: null },
    machine: { at_work: 0 },
    run: { under_way: false, agents: 3, cost_usd: 2.75, cost_known: true },
    all: {
      runs: 1,
      archived_left_out: false,
      beads: { rest: { names: 0 } },
      epics: { top: [{ name: "e" }] },
    },
  });

  const { stdout: prometheus } = await lab.koryph("metrics", "--prometheus");
  const lines = prometheus.split("\n");
  expect(lines).toContain('koryph_cost_usd{project="lab",scope="run"} 2.75');
  expect(lines).toContain('koryph_bead_cost_usd{project="lab",scope="all",bead="a"} 2');
  expect(lines).toContain('koryph_epic_cost_usd{project="lab",scope="all",epic="e"} 2.5');
  expect(lines).toContain('koryph_pool_breaker{pool="claude",state="closed"} 1');

  const { code, stderr } = await lab.koryph("metrics", "--json", "--prometheus");
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("--prometheus") });
});
