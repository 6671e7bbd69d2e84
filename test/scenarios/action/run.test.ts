import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type WaveWorld, waveWorld } from "../../support/action/wave-world.js";
import { git } from "../../support/cli/project.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Subjects of the default branch on GitHub, oldest first. */
const landed = ({ repository }: WaveWorld) =>
  git(repository().gitDir, "log", "--reverse", "--format=%s", "main").trimEnd().split("\n").slice(2);

test("a scheduled run works the backlog off, and its workflow learns what came of it", async () => {
  const world = await waveWorld({
    agents: {
      a: 'env >"$lab/starts/a.env"\nfor i in /proc/[0-9]*; do tr "\\0" "\\n" 2>/dev/null <$i/environ | grep "^KORYPH_INPUT" >>"$lab/starts/a.seen" || true; done\ncommit one\ncost 0.25',
      b: "commit one",
      c: "say blocked 'which colour?'",
    },
  });

  const base = world.tip("refs/heads/main");
  const run = await world.runs({ inputs: { "auto-merge": "true" } });

  expect(run.log).toContain("run ended (drained): 2 landed, 0 finished, 1 blocked");
  expect(run).toMatchObject({
    conclusion: "success",
    annotations: [],
    orphans: 0,
    outputs: {
      outcome: "complete",
      reason_code: "drained",
      dispatched: "3",
      merged: "2",
      pr_opened: "0",
      blocked: "1",
      failed: "0",
      drained: "true",
      cost_usd: "0.25",
    },
  });
  expect(JSON.parse(run.outputs.result ?? "")).toMatchObject({
    schema_version: 1,
    run_id: run.outputs.run_id,
    merged: 2,
    waiting: [{ bead: "c", status: "blocked" }],
  });
  const [check, ...others] = world.checks();
  expect(others).toEqual([]);
  expect(check).toMatchObject({
    name: "koryph / run",
    headSha: base,
    status: "completed",
    conclusion: "neutral",
    detailsUrl: `${world.sandbox.url}/team/shop/actions/runs/1001`,
    output: { title: "2 landed, 1 blocked" },
  });
  for (const page of [check?.output.summary ?? "", run.summary])
    expect(page).toContain("| <code>a</code> | work on a | <code>a</code> |");
  expect(run.summary).toContain("### Timeline\n\n```mermaid\ngantt\n");
  expect(landed(world).sort()).toEqual(["feat: a one", "feat: b one"]);
  const env = readFileSync(join(world.lab.top, "starts", "a.env"), "utf8");
  expect(env).toMatch(/^RUNNER_TRACKING_ID=github_/m);
  // What processes of the same user began with.
  const seen = readFileSync(join(world.lab.top, "starts", "a.seen"), "utf8");
  expect(seen).toMatch(/^KORYPH_INPUT_MODE=run$/m);
  expectNowhere(run.token, [env, seen, run.log.replace(/^::add-mask::.*$/gm, ""), ...filesBelow(run.home)]);
  expect(world.sandbox.problems).toEqual([]);
});

longTest("a bead that failed makes a strict run fail, and names the input", async () => {
  const world = await waveWorld({ agents: { a: "say blocked no" } });
  const run = await world.runs({ inputs: { strict: "true" } });
  expect(run).toMatchObject({
    conclusion: "failure",
    outputs: { outcome: "failure", reason_code: "drained" },
  });
  expect(run.annotations[0]?.message).toContain("the input strict makes a failure of a bead");
});

longTest("a run without its token begins nothing, and says which input it needs", async () => {
  const world = await waveWorld({ agents: { a: "commit one" } });
  const run = await world.runs({ inputs: { token: "" } });
  expect(run).toMatchObject({
    conclusion: "failure",
    outputs: { outcome: "failure", reason_code: "not_started" },
  });
  expect(run.annotations.map(({ message }) => message.split("\n")[0])).toEqual(["mode run needs token"]);
  expect(world.lab.starts("a")).toEqual([]);
});

longTest(
  "in wave mode each wave is a check run of its own, and a red gate's lines are its annotations",
  async () => {
    const world = await waveWorld({
      agents: { a: "put README.md red", b: "commit one", c: "commit one" },
      beads: { c: { labels: ["fp:b"] } },
      config: {
        gate: ["! grep red README.md || { echo 'README.md:1:1: error: red does not sell'; false; }"],
      },
    });
    const inputs = { "auto-merge": "true", "dispatch-mode": "wave" };
    const run = await world.runs({ inputs });
    expect(run.outputs).toMatchObject({ outcome: "complete", merged: "2", blocked: "1", failed: "1" });
    expect(world.checks().map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ["koryph / wave 1", "neutral"],
      ["koryph / wave 2", "success"],
    ]);
    expect(world.checks()[0]?.annotations[0]).toMatchObject({ path: "README.md", start_line: 1 });
    expect(run.summary).toContain("### Wave 2\n");
  },
);

longTest("a GitHub that takes no reports is told once, and the run goes on", async () => {
  const world = await waveWorld({ agents: { a: "commit one" } });
  for (const operation of ["checks/create", "checks/update"])
    world.sandbox.faults.add({ operation, times: 1_000, kind: { status: 502 } });
  const away = await world.runs({ inputs: { "auto-merge": "true" } });
  expect(away.outputs).toMatchObject({ outcome: "complete", merged: "1" });
  expect(away.log.match(/does not take the report of this run/g)).toHaveLength(1);
  expect(away.summary).toContain("✅ landed");

  world.sandbox.faults.clear();
  const without = await world.runs({ permissions: { contents: "write", "pull-requests": "write" } });
  expect(without).toMatchObject({ conclusion: "success", annotations: [] });
  expect(without.log.match(/give the job the permission checks: write/g)).toHaveLength(1);
  expect(world.checks()).toEqual([]);
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}

/** Neither as it is nor as git sends it. */
function expectNowhere(token: string, texts: readonly string[]): void {
  const sent = Buffer.from(`x-access-token:${token}`).toString("base64");
  for (const text of texts) for (const secret of [token, sent]) expect(text.includes(secret)).toBe(false);
}
