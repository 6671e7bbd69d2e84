import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { UserError } from "../../../src/lib/user-error.js";
import { koryphProject } from "../../support/cli/koryph-project.js";
import { git, project } from "../../support/cli/project.js";
import { tempFolder } from "../../support/temp-folder.js";

let home = "";

beforeEach(() => {
  home = join(tempFolder(), "home");
  vi.stubEnv("KORYPH_HOME", home);
  return () => vi.unstubAllEnvs();
});

test("runs of all projects: none yet, and a checkout that is gone hides no other", async () => {
  const gone = project({ config: { project_id: "gone" } });
  await koryphProject("add", gone);
  await koryphProject("add", project());
  rmSync(gone, { recursive: true });
  const { out, err } = await koryphProject("runs");
  expect(out).toBe("no registered project has run yet; `koryph project list` shows those there are\n");
  expect(err).toMatch(/^koryph: gone: .* does not exist\n$/);
  expect(JSON.parse((await koryphProject("runs", "--json")).out)).toEqual({ runs: [] });
});

test("a project is added, listed, removed and brought back", async () => {
  const root = project();
  git(root, "remote", "add", "origin", "https://me:hunter2@github.com/o/shop.git");
  expect((await koryphProject("add", root)).out).toBe(`registered shop at ${root}\n`);
  expect((await koryphProject("add", join(root, "."))).out).toBe(`shop is registered at ${root} already\n`);
  expect((await koryphProject("list")).out).toBe(`shop  never run  ${root}\n`);
  expect(JSON.parse((await koryphProject("list", "--json")).out)).toEqual({
    projects: [
      {
        project_id: "shop",
        root,
        remote: "https://github.com/o/shop.git",
        registered_at: expect.any(String),
        last_run: null,
      },
    ],
  });
  expect((await koryphProject("remove", "shop")).out).toBe(
    `removed shop; its state is kept in ${home}/projects/shop\n  undo: git -C ${home}/registry.d revert --no-edit HEAD\n`,
  );
  expect((await koryphProject("list")).out).toContain("no project is registered");
  git(join(home, "registry.d"), "revert", "--no-edit", "HEAD");
  expect((await koryphProject("list")).out).toContain("shop  never run");
});

test("what was done is in the machine's audit log, without the password", async () => {
  const root = project();
  git(root, "remote", "add", "origin", "https://me:hunter2@github.com/o/shop.git");
  await koryphProject("add", root);
  await koryphProject("add", root);
  await koryphProject("remove", "shop");
  const text = readFileSync(join(home, "audit.jsonl"), "utf8");
  expect(text).not.toContain("hunter2");
  expect(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { kind: "register", project_id: "shop", detail: { answer: "added", root } },
    { kind: "remove", project_id: "shop" },
  ]);
});

test("the project around a folder is the one that is added, as with every other verb", async () => {
  const root = project();
  expect((await koryphProject("--project", root, "add")).out).toContain(root);
});

test("a folder that is no project is refused before anything is made", async () => {
  await expect(koryphProject("add", tempFolder())).rejects.toBeInstanceOf(UserError);
  expect(existsSync(home)).toBe(false);
});

test("removing what is not there says so", async () => {
  await expect(koryphProject("remove", "shop")).rejects.toThrow("no project shop is registered");
});

test("a file that is no entry is told on the side, and the list stays clean", async () => {
  await koryphProject("add", project());
  writeFileSync(join(home, "registry.d", "bad.json"), "{");
  const { out, err } = await koryphProject("list", "--json");
  expect(JSON.parse(out).projects).toHaveLength(1);
  expect(err).toContain("bad.json is no entry");
});

test("listing makes nothing", async () => {
  await koryphProject("list");
  expect(existsSync(home)).toBe(false);
});
