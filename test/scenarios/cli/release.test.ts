import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validateWorkflow } from "@action-validator/core";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { git, project } from "../../support/cli/project.js";
import { runComposite } from "../../support/cli/run-composite.js";
import { longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function release(folder: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const argv = [join(ROOT, ".ci/release.mjs"), ...args];
  return spawnSync(process.execPath, argv, { cwd: folder, encoding: "utf8", env });
}

function commit(folder: string, subject: string): void {
  git(folder, "commit", "--quiet", "--allow-empty", "-m", subject);
}

test("what changed since the last release is told by what it does", () => {
  const folder = tempFolder();
  git(folder, "init", "--quiet", "--initial-branch=main");
  commit(folder, "feat: before the release");
  git(folder, "checkout", "--quiet", "--detach");
  commit(folder, "chore: release 0.1.0");
  git(folder, "tag", "-m", "0.1.0", "v0.1.0");
  git(folder, "checkout", "--quiet", "main");
  for (const subject of [
    "fix(land): look twice",
    "feat(action): waves",
    "docs: a page",
    "feat!: other names",
    "odd",
  ])
    commit(folder, subject);

  const { stdout, status } = release(folder, "notes", "0.2.0");

  expect(status).toBe(0);
  expect(stdout.replace(/\([0-9a-f]+\)$/gm, "(sha)")).toBe(
    [
      ...["# 0.2.0", "", "## Breaking", "", "- other names (sha)", ""],
      ...[
        "## New",
        "",
        "- **action**: waves (sha)",
        "",
        "## Fixed",
        "",
        "- **land**: look twice (sha)",
        "",
        "",
      ],
    ].join("\n"),
  );
});

test("the workflow that releases is valid, and hands its input to scripts by environment only", () => {
  const text = readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8");
  expect(validateWorkflow(text).errors).toEqual([]);
  const scripts = [...text.matchAll(/run: \|\n((?: {10}.*\n)+)|run: (.+)\n/g)].map(([all]) => all);
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
});

test("what runs packages' code while releasing has no token that writes", () => {
  const { jobs } = parse(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8")) as {
    readonly jobs: Readonly<
      Record<string, { readonly permissions: object; readonly steps: readonly { readonly run?: string }[] }>
    >;
  };
  const told = Object.entries(jobs).map(([name, { permissions, steps }]) => {
    const runs = steps.some(({ run = "" }) => /\.ci\/run|npm|bundle$|node dist/m.test(run));
    return [name, permissions, runs];
  });
  expect(told).toEqual([
    ["build", { contents: "read" }, true],
    ["publish", { contents: "write" }, false],
  ]);
});

longTest("a release runs with nothing installed, and builds nothing", async () => {
  const folder = tempFolder();
  for (const name of ["action.yml", "package.json", "package-lock.json", ".ci"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/newer.ts"), "");
  expect(release(ROOT, "bundle", join(folder, "dist"))).toMatchObject({ status: 0, stderr: "" });
  // What is started beside agents stands by itself, too: without its settings the guard denies.
  const guard = join(folder, "dist/guard/main.js");
  expect(spawnSync(process.execPath, [guard], { input: "{}", encoding: "utf8" }).stdout).toContain('"deny"');
  for (const end of ["outside", "inside"])
    expect(readFileSync(join(folder, `dist/adapters/contain/bridge/${end}.js`), "utf8")).not.toMatch(
      /from "\./,
    );

  const env = { GIT_CONFIG_NOSYSTEM: "1" };
  const workspace = project({ beads: [{ id: "shop-1", title: "Add a health check" }] });
  const run = await runComposite({ actionPath: folder, workspace, env });

  expect(run).toMatchObject({ conclusion: "success", outputs: { ready: "1", "would-dispatch": "shop-1" } });
  expect(run.log).not.toMatch(/installing|building|built here/);
});
