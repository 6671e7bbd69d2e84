import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { koryphHere } from "../../support/cli/koryph-here.js";
import { project } from "../../support/cli/project.js";
import { answer, count, rollout, transcript } from "../../support/core/usage-records.js";
import { tempFolder } from "../../support/temp-folder.js";

let folder = "";
const file = () => join(folder, "koryph", "quota.json");

beforeEach(() => {
  folder = tempFolder();
  vi.stubEnv("KORYPH_HOME", join(folder, "koryph"));
  vi.stubEnv("HOME", folder);
  // Without a ccusage that somebody has installed.
  vi.stubEnv("PATH", "/usr/bin:/bin");
  for (const name of ["CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "CODEX_HOME"]) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

/** The verbs of `koryph quota`, for a project. */
const koryphQuota = (root: string, ...args: string[]) => koryphHere("quota", "--project", root, ...args);

/** So much was spent with Claude Code just now. */
function spend(usd: number): void {
  mkdirSync(join(folder, ".claude/projects/-a"), { recursive: true });
  const at = new Date().toISOString();
  const line = answer({ at, model: "claude-haiku-4-5", input: usd * 1e6 });
  writeFileSync(join(folder, ".claude/projects/-a/1.jsonl"), transcript([line]));
}

const shown = async (root: string) => JSON.parse((await koryphQuota(root, "show", "--json")).out);

describe("koryph quota", () => {
  test("shows what was spent, and that nobody has said what the windows hold", async () => {
    spend(6);
    expect((await koryphQuota(project(), "show")).out).toBe(
      `Claude Code: not calibrated, so it keeps nothing back
  the five hours  $6.00 spent  not calibrated: koryph quota calibrate 5h --percent <what the provider shows>
  the week        $6.00 spent  not calibrated: koryph quota calibrate weekly --percent <what the provider shows>
  from the runtime's own records, measured just now
guard on (nobody has said otherwise)
fewer agents from 80 % on, no new bead from 90 %, no agent from 95 %
`,
    );
  });

  test("repeats how full Codex showed its windows", async () => {
    const timestamp = new Date().toISOString();
    const { payload, ...line } = count(1, 1e6);
    const rate_limits = { primary: { used_percent: 9, window_minutes: 300 }, secondary: null };
    const folderOfDay = join(folder, ".codex/sessions/2026/11/19");
    mkdirSync(folderOfDay, { recursive: true });
    const text = rollout([{ ...line, timestamp, payload: { ...payload, rate_limits } }]);
    writeFileSync(join(folderOfDay, "rollout-1.jsonl"), text);
    const root = project();
    expect((await koryphQuota(root, "show")).out).toMatch(
      /\nCodex: not calibrated.*\n.* \$1\.75 spent .*\n.*\n.*\n {2}Codex itself showed 9 % of the five hours \d+s ago\n/,
    );
    const { accounts } = await shown(root);
    expect(accounts[1].told).toEqual([{ window: "five_hours", percent: 9, at: timestamp }]);
  });

  test("takes a percentage for what a window holds, and leaves the other window out", async () => {
    const root = project();
    spend(6);
    expect((await koryphQuota(root, "calibrate", "5h", "--percent", "40")).out).toBe(
      "Claude Code: the five hours hold $15.00, since $6.00 are 40 % of it\n  the week is not calibrated, and keeps nothing back\n",
    );
    spend(9);
    expect((await koryphQuota(root, "show")).out).toMatch(
      /^Claude Code: ok\n {2}the five hours +\$9\.00 of \$15\.00, 60 %: ok +calibrated \ds ago: \$6\.00 were 40 %\n {2}the week +\$9\.00 spent/,
    );
    await koryphQuota(root, "calibrate", "weekly", "--percent", "10");
    const [{ level, five_hours, week }] = (await shown(root)).accounts;
    expect({ level, five_hours, week }).toMatchObject({
      level: "ok",
      five_hours: { spent_usd: 9, ceiling_usd: 15, fraction: 0.6 },
      week: { spent_usd: 9, ceiling_usd: 90, fraction: 0.1 },
    });
  });

  test("a calibrated window that cannot be measured counts as full, and is not called uncalibrated", async () => {
    const root = project();
    await koryphQuota(root, "calibrate", "5h", "--percent", "40", "--usd", "6");
    expect((await koryphQuota(root, "show")).out).toMatch(
      /^Claude Code: stop\n {2}the five hours +not measurable, so it counts as full \(of \$15\.00\) .*\n.*\n {2}not measurable: there are no records of its runtime on this machine\n/,
    );
  });

  test("goes by the project's levels and guard, and by its own outside of one", async () => {
    spend(6);
    const root = project({ config: { quota: { warn: 0.1, drain: 0.2, guard: "advisory" } } });
    await koryphQuota(root, "calibrate", "5h", "--percent", "30");
    expect(await shown(root)).toMatchObject({
      guard: { mode: "advisory", source: "project", until: null },
      ladder: { warn: 0.1, drain: 0.2, stop: 0.95 },
      accounts: [{ level: "drain" }],
    });
    const { out, err } = await koryphQuota(tempFolder(), "show");
    expect(err).toMatch(/^koryph: no project's settings are taken into account: /);
    expect(out).toMatch(/^Claude Code: ok\n/);
  });

  test("the guard is set for a while, or for good", async () => {
    const root = project();
    expect((await koryphQuota(root, "guard", "off", "--for", "2h")).out).toMatch(
      /^guard off on this machine for /,
    );
    expect((await shown(root)).guard).toMatchObject({ mode: "off", source: "baseline" });
    await koryphQuota(root, "guard", "advisory");
    expect((await shown(root)).guard).toEqual({ mode: "advisory", source: "baseline", until: null });
    const audit = readFileSync(join(folder, "koryph", "audit.jsonl"), "utf8");
    expect(audit.match(/"kind":"quota-guard"/g)).toHaveLength(2);
  });

  test.each([
    {
      name: "nobody can tell what was spent",
      args: ["5h", "--percent", "40"],
      says: /nobody can tell .* the five hours: there are no records/,
    },
    {
      name: "nothing was spent",
      args: ["5h", "--percent", "40", "--usd", "0"],
      says: /nothing was spent in it so far/,
    },
    { name: "it is no percentage", args: ["5h", "--percent", "140", "--usd", "1"], says: /more than 100 %/ },
    {
      name: "its runtime keeps no records",
      args: ["5h", "--percent", "4", "--runtime", "opencode"],
      says: /opencode's account .* no records that its runtime keeps/,
    },
  ])("nothing is calibrated where $name", async ({ args, says }) => {
    await expect(koryphQuota(project(), "calibrate", ...args)).rejects.toThrow(says);
    expect(existsSync(file())).toBe(false);
  });

  test.each([
    { name: "is no JSON", text: "{" },
    { name: "is of another version", text: '{"schema_version":2,"guard":null,"accounts":{}}' },
    { name: "has a key more", text: '{"schema_version":1,"guard":null,"accounts":{},"more":1}' },
    {
      name: "has a ceiling of nothing",
      text: '{"schema_version":1,"guard":null,"accounts":{"":{"ceilings":{"fiveHour":0,"weekly":null},"observed":{"fiveHour":null,"weekly":null}}}}',
    },
  ])("a file that $name is named, and stays as it is", async ({ text }) => {
    mkdirSync(join(folder, "koryph"));
    writeFileSync(file(), text);
    const root = project();
    for (const args of [["show"], ["guard", "off"], ["calibrate", "5h", "--percent", "4", "--usd", "1"]])
      await expect(koryphQuota(root, ...args)).rejects.toThrow(/quota\.json cannot be read: /);
    expect(readFileSync(file(), "utf8")).toBe(text);
  });
});
