import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { sshKey } from "../../support/git/ssh-keys.js";
import { landLab, refsOf, subjects } from "../../support/landing/land-lab.js";
import { longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

vi.setConfig({ testTimeout: 120_000 });

test("what no flag lifts is landed by hand, with the commands that the refusal and its page give", async () => {
  const lab = landLab({
    agents: { infra: "put infra/net.tf wide", other: "commit one" },
    config: () => ({ protected_paths: ["infra/"] }),
  });
  await lab.koryph("run", "--only", "infra");
  const { code, stderr } = await lab.koryph("land", "infra", "--allow-protected");
  expect(code).toBe(1);
  const [, page = "", fetch = ""] =
    /by hand as (\S+) \("By hand"\) tells; .*: (git fetch .*)\n/.exec(stderr) ?? [];
  expect(readFileSync(page, "utf8")).toContain("## By hand\n");

  execFileSync("sh", ["-c", `${fetch} 2>&1`], { cwd: lab.root, env: lab.environment });
  git(lab.root, "cherry-pick", "main..agent/infra");
  git(lab.root, "push", "--quiet", "origin", "main");
  expect(subjects(lab).at(-1)).toBe("feat: infra puts wide");

  const closed = lab.workLines().map((line) => (line.id === "infra" ? { ...line, status: "closed" } : line));
  writeFileSync(lab.workFile, closed.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await lab.koryph("retry", "infra");
  expect((await lab.koryph("run", "--resume", "--only", "infra")).stdout).toContain(
    "infra  dropped: the bead is closed, or gone\n",
  );
  expect(await lab.status()).toEqual({});
  expect([lab.starts("infra").length, lab.starts("other").length]).toEqual([1, 0]);
  await lab.koryph("gc", "--apply");
  expect(lab.names("clones")).not.toContain("infra");
  expect(refsOf(lab, "infra")).toEqual([]);
});

longTest(
  "a red gate sends nobody into the clone, and what a person commits there lands all the same",
  async () => {
    const lab = landLab({ agents: { red: "put red yes" } });
    await lab.koryph("run");
    const { stderr } = await lab.koryph("land", "red");
    const clone = join(lab.projectHome, "clones", "red");
    expect(stderr).toContain("; or take it over in your checkout: git fetch ");
    expect(stderr).not.toContain(clone);
    git(clone, "rm", "--quiet", "red");
    git(clone, "commit", "--quiet", "-m", "fix: not red");
    writeFileSync(join(clone, "green"), "yes\n");
    git(clone, "add", "green");
    git(clone, "commit", "--quiet", "-m", "feat: green");
    // Tidying up takes nothing that waits for a person; whoever takes it by name can land what was committed there.
    expect((await lab.koryph("gc", "--apply")).stdout).toContain("a person has to look: red (finished)");
    expect(lab.names("clones")).toEqual(["red"]);
    await lab.koryph("gc", "red", "--apply");
    expect(lab.names("clones")).toEqual([]);
    expect(await lab.koryph("land", "red")).toMatchObject({ code: 0 });
    expect(lab.names("homes")).toEqual([]);
  },
);

test("signed work that waits for a person is shown and landed from another machine as well", async () => {
  const key = sshKey(join(tempFolder(), "engine"));
  const lab = landLab({
    agents: { infra: "put .github/x.yml wide" },
    files: { ".allowed_signers": `engine@lab namespaces="git" ${key.publicKey}\n` },
    config: () => ({ signing: { required: true, provider: "file", key_ref: key.path } }),
  });
  await lab.koryph("run");
  const other = lab.beside("other");
  const diff = await other.koryph("diff", "infra");
  expect(diff, diff.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("+wide") });
  const shown = await other.koryph("show", "infra");
  expect(shown.stdout).toContain("feat: infra puts wide");
  const landed = await other.koryph("land", "infra", "--allow-protected");
  expect(landed, landed.stderr).toMatchObject({ code: 0 });
  expect(subjects(lab).at(-1)).toBe("feat: infra puts wide");
});
