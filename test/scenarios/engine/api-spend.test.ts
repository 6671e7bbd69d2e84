import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { answer, transcript } from "../../support/core/usage-records.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { SCRIPTED_CLAUDE } from "../../support/engine/scripted-claude.js";

vi.setConfig({ testTimeout: 180_000 });

const KEY = "sk-ant-api03-Zk4mQ9vT2xLr7WcB1nYd8HsJ5pFgUe3A";

/** A project of Claude Code's whose plan is used up; agents write down what they could pay with, and say it aloud. */
async function usedUpLab(): Promise<EngineLab> {
  const lab = new EngineLab({ agents: { a: "", b: "" } });
  const program = join(lab.top, "claude.sh");
  writeFileSync(program, SCRIPTED_CLAUDE, { mode: 0o755 });
  const has = `printf '%s %s %s %s\\n' "$KORYPH_BEAD" "\${ANTHROPIC_API_KEY:-none}" "\${SPEND_KEY:-none}" "$HOME" >>"$lab/has"`;
  writeFileSync(join(lab.top, "model"), `${has}\necho "$ANTHROPIC_API_KEY" >&2\nwork\n`);
  configure(lab, { claude: { key: "SPEND_KEY" } });
  lab.env = { PATH: "/usr/bin:/bin", SPEND_KEY: KEY };
  const folder = join(lab.top, "user/.claude/projects/-a");
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const lines = Array.from({ length: 97 }, (_, index) =>
    answer({ at, id: `msg_${index}`, model: "claude-haiku-4-5", input: 1e6 }),
  );
  writeFileSync(join(folder, "1.jsonl"), transcript(lines));
  await lab.koryph("quota", "calibrate", "5h", "--percent", "97");
  return lab;
}

function configure(lab: EngineLab, api_spend: object): void {
  const runtimes = { claude: { command: [join(lab.top, "claude.sh"), lab.top] } };
  lab.configure({ default_runtime: "claude", runtimes, max_concurrent_slots: 1, api_spend });
}

/** All that is below koryph's home, but for what agents have themselves. */
function recorded(lab: EngineLab): string {
  const names = readdirSync(lab.home, { recursive: true, encoding: "utf8", withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

test("once the plan is used up, agents are billed to the named key, and everybody is told", async () => {
  const lab = await usedUpLab();
  const plan = await lab.koryph("run", "--dry-run", "--allow-api-spend", "--budget", "50");
  expect(plan.stdout).toMatch(
    /quota: Claude Code is at 97 % of the five hours: new agents are BILLED BY USE to API key [0-9a-f]{16}\n/,
  );
  expect(plan.stdout).toContain("WOULD DISPATCH (1)");

  const run = await lab.koryph("run", "--allow-api-spend", "--budget", "50");
  expect(run.code, run.stderr).toBe(4);
  expect(run.stdout).toMatch(
    /API spending is allowed: once the plan of claude is used up, new agents are billed by use to the key [0-9a-f]{16} in SPEND_KEY; this run's budget of \$50.00 bounds all agents together\n/,
  );
  expect(run.stdout).toMatch(/a {2}dispatched on \w+, BILLED BY USE to API key [0-9a-f]{16}: work on a\n/);
  expect(run.stdout).toContain("; cost $0.20, $0.20 of it billed by use to an API key\n");
  const has = readFileSync(join(lab.top, "has"), "utf8").trimEnd().split("\n");
  const homes = join(lab.projectHome, "key-homes");
  expect(has).toEqual(["a", "b"].map((bead) => `${bead} ${KEY} none ${join(homes, bead)}`));

  const dispatched = (await lab.log()).filter(({ type }) => type === "slot.dispatching");
  const account = { mode: "api-key", fingerprint: expect.any(String), billing: "api-key" };
  expect(dispatched.map(({ data }) => data.account)).toEqual([account, account]);
  const status = await lab.koryph("status");
  expect(status.stdout).toContain("$0.20 ($0.20 of it billed by use to an API key)\n");
  const metrics = await lab.koryph("metrics", "--json");
  expect(JSON.parse(metrics.stdout).run).toMatchObject({ cost_usd: 0.2, api_cost_usd: 0.2 });
  expect((await lab.koryph("metrics", "--prometheus")).stdout).toContain(
    'koryph_api_cost_usd{project="lab",scope="run"} 0.2\n',
  );
  expect(run.stdout + run.stderr + status.stdout + metrics.stdout).not.toContain(KEY);
  const { stdout } = await lab.koryph("log", "--json");
  expect(stdout).not.toContain(KEY);
});

test("whatever would keep the run from spending is said before anything is made", async () => {
  const lab = await usedUpLab();
  await lab.koryph("hold", "b");
  const before = lab.ledgerTip();
  const budget = ["--budget", "50"];
  const refused = async (args: readonly string[], says: string | RegExp) => {
    const { code, stdout, stderr } = await lab.koryph("run", "--allow-api-spend", ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(says);
    expect(lab.names("runs")).toEqual([]);
    expect(lab.ledgerTip()).toBe(before);
  };
  await refused([], "given without a budget: nothing would bound what agents of claude spend");
  await refused(["--dry-run"], "given without a budget");
  lab.env = { ...lab.env, SPEND_KEY: "", ANTHROPIC_API_KEY: KEY };
  await refused(budget, "SPEND_KEY, which koryph.project.json names for runtime claude, is not set");
  for (const SPEND_KEY of [
    "hunter2",
    "sk-ant-oat01-Zk4mQ9vT2xLr7WcB1nYd8HsJ5pFgUe3A",
    "sk-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "sk-proj-Zk4mQ9vT2xLr7WcB1nYd8HsJ5pFgUe3A",
    "ghp_Zk4mQ9vT2xLr7WcB1nYd8HsJ5pFgUe3A012",
  ]) {
    lab.env = { ...lab.env, SPEND_KEY };
    await refused(budget, "SPEND_KEY holds nothing that looks like an API key");
  }
  configure(lab, {});
  await refused(budget, "names no key that may be spent on");
  for (const key of ["ANTHROPIC_API_KEY", "CODEX_API_KEY", "spend"]) {
    configure(lab, { claude: { key } });
    await refused(budget, /api_spend\.claude\.key: found .*, needed the name of a variable of its own/);
  }
  configure(lab, { opencode: { key: "SPEND_KEY" } });
  await refused(budget, /claude, codex/);
});

test("without leave an opted-in project spends nothing, and a pinned account is not left", async () => {
  const lab = await usedUpLab();
  const run = await lab.koryph("run", "--budget", "50");
  expect(run.stdout).toContain("run ended (quota-cap)");
  lab.env = { ...lab.env, ANTHROPIC_API_KEY: "pinned" };
  await lab.koryph("project", "account", "lab", "--expect-key");
  const pinned = await lab.koryph("run", "--allow-api-spend", "--budget", "50");
  expect(pinned).toMatchObject({ code: 1, stdout: "" });
  expect(pinned.stderr).toContain(
    "the project pins another account for runtime claude than the key in SPEND_KEY",
  );
  expect(recorded(lab)).not.toContain(KEY);
});
