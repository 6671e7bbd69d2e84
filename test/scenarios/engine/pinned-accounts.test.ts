import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { answer as record, transcript } from "../../support/core/usage-records.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { SCRIPTED_CLAUDE } from "../../support/engine/scripted-claude.js";

vi.setConfig({ testTimeout: 180_000 });

const KEYS = { ANTHROPIC_API_KEY: "key-one", ANTHROPIC_AUTH_TOKEN: "key-two" };

/** A project of Claude Code's that pins a profile; its agents say what became of a call in the file `model`. */
async function pinnedLab(
  beads: number,
): Promise<{ lab: EngineLab; signIn: (email: string) => void; file: string }> {
  const names = Array.from({ length: beads }, (_, index) => [`b-${index + 1}`, ""]);
  const lab = new EngineLab({ agents: Object.fromEntries(names) });
  const [program, profile] = [join(lab.top, "claude.sh"), join(realpathSync(lab.top), "profile")];
  writeFileSync(program, SCRIPTED_CLAUDE, { mode: 0o755 });
  mkdirSync(profile);
  lab.env = KEYS;
  lab.configure({
    default_runtime: "claude",
    runtimes: { claude: { command: [program, lab.top] } },
    max_concurrent_slots: 2,
  });
  const file = join(profile, ".claude.json");
  const signIn = (email: string) =>
    writeFileSync(file, JSON.stringify({ oauthAccount: { emailAddress: email } }));
  signIn("ann@example.org");
  await lab.koryph("project", "add");
  await lab.koryph("project", "account", "lab", "--profile", profile, "--expect", "ann@example.org");
  return { lab, signIn, file };
}

function answer(lab: EngineLab, lines: string): void {
  writeFileSync(join(lab.top, "model"), `${lines}\n`);
}

function calls(lab: EngineLab): string[] {
  const file = join(lab.top, "calls");
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

/** Everything in koryph's home and what the repository has of it. */
function madeIn(lab: EngineLab): string[] {
  const files = readdirSync(lab.home, { recursive: true, encoding: "utf8" });
  const refs = git(lab.root, "for-each-ref", "--format=%(refname)").split("\n");
  return [...files.filter((name) => !name.startsWith("registry.d/.git/")), ...refs].sort();
}

test("an account that is missing, unreadable or another starts nothing and makes nothing", async () => {
  const { lab, signIn, file } = await pinnedLab(1);
  answer(lab, "work");
  const before = madeIn(lab);
  const work = readFileSync(lab.workFile, "utf8");
  const refusals: readonly (readonly [set: () => void, says: RegExp])[] = [
    [() => signIn("bob@example.org"), /is login [0-9a-f]{16}, and login [0-9a-f]{16} is expected/],
    [() => writeFileSync(file, "{"), /cannot be read, and login [0-9a-f]{16} is expected/],
    [() => rmSync(file), /is signed in to no account, and login [0-9a-f]{16} is expected/],
  ];
  for (const [set, says] of refusals) {
    set();
    const { code, stdout, stderr } = await lab.koryph("run");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/next: .*koryph project account lab/);
    expect(stderr).not.toMatch(/@example/);
    expect(madeIn(lab)).toEqual(before);
  }
  expect(calls(lab)).toEqual([]);
  expect(readFileSync(lab.workFile, "utf8")).toBe(work);
});

test("agents work on the pinned account alone, and the ledger has its fingerprint with every dispatch", async () => {
  const { lab } = await pinnedLab(1);
  answer(lab, `env >>"$lab/seen"; work`);
  const { code, stdout, stderr } = await lab.koryph("run", "--review");
  expect(code, stdout + stderr).toBe(4);
  expect(calls(lab).length).toBeGreaterThan(1);
  const seen = readFileSync(join(lab.top, "seen"), "utf8");
  expect(seen).toContain(`CLAUDE_CONFIG_DIR=${join(realpathSync(lab.top), "profile")}\n`);
  expect(seen).not.toMatch(/key-one|key-two/);
  const log = await lab.log();
  const dispatches = log.filter(({ type }) => type === "slot.dispatching");
  expect(dispatches.length).toBe(calls(lab).length);
  const account = { mode: "login", fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) };
  expect(dispatches.map(({ data }) => data.account)).toEqual(dispatches.map(() => account));
  expect(JSON.stringify(log)).not.toContain("@example.org");
  const { slots } = JSON.parse((await lab.koryph("status", "--json")).stdout);
  expect(slots).toMatchObject([{ account }]);
});

test("a pinned account has windows of its own, measured in the folder of its profile", async () => {
  const { lab } = await pinnedLab(1);
  answer(lab, "work");
  const records = (folder: string, usd: number) => {
    mkdirSync(join(folder, "projects/-a"), { recursive: true });
    const at = new Date().toISOString();
    const lines = Array.from({ length: usd }, (_, index) =>
      record({ at, id: `msg_${index}`, model: "claude-haiku-4-5", input: 1e6 }),
    );
    writeFileSync(join(folder, "projects/-a/1.jsonl"), transcript(lines));
  };
  records(join(lab.top, "user/.claude"), 99);
  await lab.koryph("quota", "calibrate", "5h", "--percent", "99");
  records(join(lab.top, "profile"), 48);
  const shown = await lab.koryph("quota", "show");
  expect(shown.stdout).toMatch(/^Claude Code: stop$/m);
  const [, account = ""] = /^(claude:[0-9a-f]{16}): not calibrated/m.exec(shown.stdout) ?? [];
  expect(shown.stdout).toContain(` --runtime ${account} --percent`);
  expect(shown.stdout).not.toContain("@example.org");
  const frontier = async () => (await lab.koryph("status", "--frontier")).stdout;
  expect((await lab.koryph("run", "--dry-run")).stdout).toContain("WOULD DISPATCH (1)");
  expect(await frontier()).toContain("WOULD DISPATCH (1)");

  const calibrated = await lab.koryph("quota", "calibrate", "5h", "--runtime", account, "--percent", "96");
  expect(calibrated.stdout).toContain(`${account}: the five hours hold $50.00`);
  const says = `${account} is at 96 % of the five hours: no agent is started`;
  expect(await frontier()).toContain(says);
  const stopped = await lab.koryph("run");
  expect(stopped.stdout).toContain("run ended (quota-cap)");
  expect(stopped.stdout).toContain(says);
  expect(calls(lab)).toEqual([]);
  const { diagnoses } = JSON.parse((await lab.koryph("doctor", "--json", "--no-write")).stdout);
  expect(diagnoses).toContainEqual(expect.objectContaining({ code: "quota_ready" }));

  records(join(lab.top, "profile"), 5);
  expect((await lab.koryph("run")).code).toBe(4);
  expect(calls(lab)).toHaveLength(1);
});

test("an account that changes in mid-run ends the run and its agents; signed in again it goes on", async () => {
  const { lab, signIn } = await pinnedLab(3);
  const swap = `printf '{"oauthAccount":{"emailAddress":"eve@example.org"}}' >"$CLAUDE_CONFIG_DIR/.claude.json"`;
  // Both are at work for ever; one of them signs the profile in to somebody else.
  answer(
    lab,
    `[ "$KORYPH_BEAD" = b-1 ] && { echo $$ >"$lab/pid"; sleep 1000; }
while [ ! -e "$lab/pid" ]; do sleep 0.05; done; ${swap}; sleep 1000`,
  );
  const { code, stdout, stderr } = await lab.koryph("run");
  expect(code, stdout).toBe(1);
  expect(stderr).toMatch(/is login [0-9a-f]{16}, and login [0-9a-f]{16} is expected/);
  const pid = Number(readFileSync(join(lab.top, "pid"), "utf8"));
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(
    calls(lab)
      .map((line) => line.split(" ")[0])
      .sort(),
  ).toEqual(["b-1", "b-2"]);
  expect(JSON.stringify(await lab.log())).not.toContain("eve@");

  signIn("ann@example.org");
  answer(lab, "work");
  const again = await lab.koryph("run", "--resume");
  expect(again.code, again.stdout + again.stderr).toBe(4);
  const { stdout: stands } = await lab.koryph("status");
  expect(Object.values(await lab.status()), `${stdout}${again.stdout}${stands}`).toEqual([
    "merge-pending",
    "merge-pending",
    "merge-pending",
  ]);
});
