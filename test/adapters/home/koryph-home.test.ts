import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type KoryphHome, locateHome, openHome } from "../../../src/adapters/home/koryph-home.js";
import { UserError } from "../../../src/lib/user-error.js";
import { tempFolder } from "../../support/temp-folder.js";

const DIST = new URL("../../../dist/adapters/home/koryph-home.js", import.meta.url).href;

/** Runs a shell command in its own mount namespace, where it may mount. Null where the system forbids that. */
function withMounts(command: string, ...args: string[]): { stdout: string } | null {
  if (spawnSync("unshare", ["-rm", "true"]).status !== 0) return null;
  return spawnSync("unshare", ["-rm", "sh", "-c", command, "sh", ...args], { encoding: "utf8" });
}

const REPORT = `import("${DIST}").then(({ openHome }) => openHome({ KORYPH_HOME: process.argv[1] }))
  .then(() => console.log("opened"), (error) => console.log(error.name + ": " + error.message))`;

describe("where it is", () => {
  test.each<{ name: string; env: NodeJS.ProcessEnv; path: string }>([
    {
      name: "what KORYPH_HOME says",
      env: { KORYPH_HOME: "/srv/koryph", HOME: "/home/me" },
      path: "/srv/koryph",
    },
    { name: "~/.koryph without it", env: { HOME: "/home/me" }, path: "/home/me/.koryph" },
    {
      name: "~/.koryph when it is empty",
      env: { KORYPH_HOME: "", HOME: "/home/me" },
      path: "/home/me/.koryph",
    },
  ])("$name", ({ env, path }) => {
    expect(locateHome(env).path).toBe(path);
  });

  test.each(["koryph", "./koryph", "~/.koryph"])(
    "%s is refused: it would depend on where one stands",
    (value) => {
      expect(() => locateHome({ KORYPH_HOME: value })).toThrow("must be an absolute path");
    },
  );
});

describe("layout", () => {
  const home = locateHome({ KORYPH_HOME: "/k" });

  test("everything of a project lies in its own folder", () => {
    expect([
      home.projectHome("shop"),
      home.engineLock("shop"),
      home.repository("shop"),
      home.ledger("shop"),
      home.clonesFolder("shop"),
      home.runFolder("shop", "01J", "b-1", 2),
      home.registryFolder,
      home.auditLog,
    ]).toEqual([
      "/k/projects/shop",
      "/k/projects/shop/engine.lock",
      "/k/projects/shop/repo.git",
      "/k/projects/shop/ledger.git",
      "/k/projects/shop/clones",
      "/k/projects/shop/runs/01J/b-1/2",
      "/k/registry.d",
      "/k/audit.jsonl",
    ]);
  });

  test.each<{ name: string; path: (home: KoryphHome) => string }>([
    { name: "a project", path: (home) => home.projectHome("../x") },
    { name: "a run", path: (home) => home.runFolder("shop", "../../x", "b-1", 1) },
    { name: "a bead", path: (home) => home.runFolder("shop", "r", "..", 1) },
    { name: "an attempt", path: (home) => home.runFolder("shop", "r", "b-1", -1) },
    { name: "an empty name", path: (home) => home.projectHome("") },
    { name: "a name with a slash", path: (home) => home.projectHome("a/b") },
  ])("$name cannot step out of its folder", ({ path }) => {
    expect(() => path(home)).toThrow("not a folder name");
  });
});

describe("opening", () => {
  test("makes it for its owner alone, and leaves nothing in it", async () => {
    const path = join(tempFolder(), "deep", ".koryph");
    expect((await openHome({ KORYPH_HOME: path })).path).toBe(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(readdirSync(path)).toEqual([]);
  });

  test("again changes nothing", async () => {
    const path = tempFolder();
    mkdirSync(join(path, "projects"));
    await openHome({ KORYPH_HOME: path });
    await openHome({ KORYPH_HOME: path });
    expect(readdirSync(path)).toEqual(["projects"]);
  });

  test("a file in its place is told", async () => {
    const path = join(tempFolder(), "file");
    writeFileSync(path, "");
    const answer = await openHome({ KORYPH_HOME: path }).catch((error: unknown) => error);
    expect(answer).toBeInstanceOf(UserError);
    expect((answer as UserError).message).toContain(`koryph cannot keep its state in ${path}`);
  });

  test("a full disk is told as one", ({ skip }) => {
    const path = tempFolder();
    const result = withMounts(
      'mount -t tmpfs -o size=16k none "$1" && exec "$2" -e "$3" "$1"',
      path,
      process.execPath,
      REPORT,
    );
    if (result === null) return skip("this system lets nobody mount");
    expect(result.stdout).toBe(`UserError: koryph cannot keep its state in ${path}: the disk is full\n`);
  });

  test("a read-only disk is told before anything is started", ({ skip }) => {
    const path = tempFolder();
    const result = withMounts(
      'mount -t tmpfs -o ro none "$1" && exec "$2" -e "$3" "$1"',
      path,
      process.execPath,
      REPORT,
    );
    if (result === null) return skip("this system lets nobody mount");
    expect(result.stdout).toContain(`UserError: koryph cannot keep its state in ${path}: EROFS`);
  });
});

test("of many that make the same folders at once, none is told that it cannot", async () => {
  const root = tempFolder();
  for (let round = 0; round < 20; round += 1) {
    const homes = Array.from({ length: 10 }, (_, index) => join(root, `${round}`, "a", "b", `${index % 3}`));
    await Promise.all(homes.map((home) => openHome({ KORYPH_HOME: home })));
  }
});

test("a place that takes no folders is told at once", async () => {
  await expect(openHome({ KORYPH_HOME: "/proc/koryph/home" })).rejects.toThrow("/proc/koryph");
});
