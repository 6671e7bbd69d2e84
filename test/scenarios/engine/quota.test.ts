import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { answer, transcript } from "../../support/core/usage-records.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { SCRIPTED_CLAUDE } from "../../support/engine/scripted-claude.js";

vi.setConfig({ testTimeout: 180_000 });

/** Two beads for agents of Claude Code's, on a machine where somebody uses it, too. */
function claudeLab(): EngineLab {
  const lab = new EngineLab({ agents: { a: "", b: "" } });
  const program = join(lab.top, "claude.sh");
  writeFileSync(program, SCRIPTED_CLAUDE, { mode: 0o755 });
  writeFileSync(join(lab.top, "model"), "work\n");
  const runtimes = { claude: { command: [program, lab.top] } };
  lab.configure({ default_runtime: "claude", runtimes, max_concurrent_slots: 1 });
  lab.env = { PATH: "/usr/bin:/bin" };
  return lab;
}

function spend(lab: EngineLab, usd: number): void {
  const folder = join(lab.top, "user/.claude/projects/-a");
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  // An answer has at most ten million tokens.
  const lines = Array.from({ length: usd }, (_, index) =>
    answer({ at, id: `msg_${index}`, model: "claude-haiku-4-5", input: 1e6 }),
  );
  writeFileSync(join(folder, "1.jsonl"), transcript(lines));
}

test("a run waits for no account that is used up: it says so and ends, and a later one takes the beads", async () => {
  const lab = claudeLab();
  spend(lab, 80);
  await lab.koryph("quota", "calibrate", "5h", "--percent", "80");
  await lab.koryph("quota", "calibrate", "weekly", "--percent", "8");
  spend(lab, 92);

  const plan = await lab.koryph("run", "--dry-run");
  expect(plan.stdout).toContain("quota: Claude Code is at 92 % of the five hours: no new bead is started\n");
  expect(plan.stdout).toContain("WOULD DISPATCH (0)");
  expect(plan.stdout).toMatch(
    /DEFERRED \(2\)\n {2}a .* Claude Code is at 92 % of the five hours: no new bead is started\n/,
  );

  const drained = await lab.koryph("run");
  expect(drained.code, drained.stderr).toBe(0);
  expect(drained.stdout).toContain(
    "quota: Claude Code is at 92 % of the five hours: no new bead is started\n",
  );
  expect(drained.stdout).toContain("\nrun ended (quota-cap): 0 finished, 0 blocked; cost $0.00\n");
  expect(drained.stdout).toContain(
    "  not dispatched: a: Claude Code is at 92 % of the five hours: no new bead is started\n",
  );
  expect(await lab.status()).toEqual({});

  expect((await lab.koryph("status")).stdout).toContain("quota: Claude Code is at 92 % of the five hours");
  expect((await lab.koryph("status", "--frontier")).stdout).toContain("WOULD DISPATCH (0)");
  const { quota } = JSON.parse((await lab.koryph("status", "--json")).stdout);
  expect(quota).toEqual([
    {
      account: "",
      name: "Claude Code",
      level: "drain",
      window: "five_hours",
      fraction: 0.92,
      measured: true,
      guard: "on",
    },
  ]);

  const anyhow = await lab.koryph("run", "--no-billing-guard", "--only", "a");
  expect(anyhow.code, anyhow.stdout).toBe(4);
  expect(anyhow.stdout).not.toContain("quota:");

  spend(lab, 40);
  const later = await lab.koryph("run");
  expect(later.code, later.stdout).toBe(4);
  expect(await lab.status()).toEqual({ a: "merge-pending", b: "merge-pending" });
});

test("with an advisory guard there are words only, and a calibration that cannot be read starts nothing", async () => {
  const lab = claudeLab();
  spend(lab, 96);
  await lab.koryph("quota", "calibrate", "5h", "--percent", "96");
  await lab.koryph("quota", "guard", "advisory");
  const run = await lab.koryph("run", "--only", "a");
  expect(run.code, run.stderr).toBe(4);
  expect(run.stdout).toContain(
    "quota: Claude Code is at 96 % of the five hours: no agent is started if the guard were on\n",
  );

  writeFileSync(join(lab.home, "quota.json"), "{");
  const broken = await lab.koryph("run");
  expect({ code: broken.code, stdout: broken.stdout }).toEqual({ code: 1, stdout: "" });
  expect(broken.stderr).toMatch(/quota\.json cannot be read: .*\n.*koryph quota calibrate/);
  const status = await lab.koryph("status");
  expect(status).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^koryph: .*quota\.json cannot be read: /),
  });
  const { diagnoses } = JSON.parse((await lab.koryph("doctor", "--json", "--no-write")).stdout);
  expect(diagnoses).toContainEqual(expect.objectContaining({ code: "quota_unreadable", level: "bad" }));
});
