import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { SCRIPTED_CLAUDE } from "../../support/engine/scripted-claude.js";

vi.setConfig({ testTimeout: 180_000 });

test("doctor and status tell what is pinned, what was found, and what to do", async () => {
  const lab = new EngineLab({ agents: { "b-1": "" } });
  const [program, profile] = [join(lab.top, "claude.sh"), join(realpathSync(lab.top), "profile")];
  writeFileSync(program, SCRIPTED_CLAUDE, { mode: 0o755 });
  mkdirSync(profile);
  const signIn = (emailAddress: string) =>
    writeFileSync(join(profile, ".claude.json"), JSON.stringify({ oauthAccount: { emailAddress } }));
  lab.configure({ default_runtime: "claude", runtimes: { claude: { command: [program, lab.top] } } });
  const doctor = async () => {
    const { code, stdout } = await lab.koryph("doctor", "--no-write", "--json");
    const { diagnoses } = JSON.parse(stdout) as {
      diagnoses: { code: string; says: string; fix: string | null }[];
    };
    return { code, found: diagnoses.find((each) => each.code.startsWith("account")) };
  };
  const pinned = async () => JSON.parse((await lab.koryph("status", "--json")).stdout).pinned_accounts;

  expect(await doctor()).toMatchObject({
    code: 0,
    found: { code: "accounts_unpinned", fix: expect.stringContaining("koryph project account lab") },
  });
  expect(await pinned()).toEqual([]);

  signIn("ann@example.org");
  await lab.koryph("project", "add");
  await lab.koryph("project", "account", "lab", "--profile", profile, "--expect", "ann@example.org");
  const good = await doctor();
  expect(good).toMatchObject({ code: 0, found: { code: "account_verified", fix: null } });
  expect(good.found?.says).toMatch(/^claude: profile .*profile is login [0-9a-f]{16}, as it is pinned$/);
  expect(await pinned()).toEqual(["claude"]);
  expect((await lab.koryph("status")).stdout).toContain("accounts: pinned for claude\n");

  signIn("bob@example.org");
  const bad = await doctor();
  expect(bad).toMatchObject({ code: 1, found: { code: "account_refused" } });
  expect(bad.found?.fix).toContain("claude /login");
  expect(JSON.stringify(bad)).not.toMatch(/@example/);
  // A dry run says what would end a run.
  expect((await lab.koryph("run", "--dry-run")).stdout).toMatch(/is login [0-9a-f]{16}, and login/);
});
