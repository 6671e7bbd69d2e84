import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { koryphAsNobody, NOBODY, whyNotNobody } from "../../support/cli/koryph-as-nobody.js";
import { git } from "../../support/cli/project.js";
import { koryph } from "../../support/cli/standing-koryph.js";
import { tempFolder } from "../../support/temp-folder.js";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

function repository(): string {
  const root = tempFolder();
  git(root, "init", "--quiet");
  return root;
}

test("init writes a file that validates, and keeps .koryph out of git", async () => {
  const root = repository();
  expect((await koryph(root, "init")).code).toBe(0);
  expect((await koryph(root, "validate")).stdout).toContain("is fine");
  writeFileSync(join(root, ".koryph/beads.jsonl"), "");
  expect(git(root, "status", "--porcelain", "--untracked-files=all")).toBe("?? koryph.project.json\n");
});

test.each<{ name: string; make: (root: string) => void; says: string }>([
  {
    name: "no repository",
    make: () => {},
    says: "is not in a git repository, and agents work in clones of one\n  next: before the first run: git init,",
  },
  {
    name: "no commit",
    make: (root) => git(root, "init", "--quiet"),
    says: "has no commit yet, and agents start from one\n  next: before the first run: git add koryph.project.json",
  },
])("init with $name around it says what a run will need", async ({ make, says }) => {
  const root = tempFolder();
  make(root);
  const { code, stdout, stderr } = await koryph(root, "init");
  expect(code).toBe(0);
  expect(stdout).toContain("wrote ");
  expect(stderr).toContain(says);
});

test("init in a repository with a commit warns of nothing", async () => {
  const root = repository();
  git(root, "commit", "--quiet", "--allow-empty", "-m", "first");
  expect(await koryph(root, "init")).toMatchObject({ code: 0, stderr: "" });
});

test("init in a subfolder writes at the repository's top", async () => {
  const root = repository();
  mkdirSync(join(root, "deep/down"), { recursive: true });
  await koryph(join(root, "deep/down"), "init");
  expect((await koryph(root, "validate")).code).toBe(0);
});

test("init never overwrites", async () => {
  const root = repository();
  writeFileSync(join(root, "koryph.project.json"), "mine");
  const { code, stderr } = await koryph(root, "init");
  expect(stderr).toContain("never overwrites");
  expect(code).toBe(1);
  expect(readFileSync(join(root, "koryph.project.json"), "utf8")).toBe("mine");
});

test("--id and --gate go into the file, and a bad id is refused before anything is written", async () => {
  const root = repository();
  expect((await koryph(root, "init", "--id", "No Spaces")).stderr).toContain("project_id");
  expect((await koryph(root, "init", "--id", "shop", "--gate", "make lint", "make test")).code).toBe(0);
  const { project_id, gate } = JSON.parse(readFileSync(join(root, "koryph.project.json"), "utf8"));
  expect({ project_id, gate }).toEqual({ project_id: "shop", gate: ["make lint", "make test"] });
});

function gateOf(root: string): string[] {
  return JSON.parse(readFileSync(join(root, "koryph.project.json"), "utf8")).gate;
}

test("init takes the tests that are there as the gate", async () => {
  const root = repository();
  writeFileSync(join(root, "package.json"), `{"name":"x"}`);
  writeFileSync(join(root, "Makefile"), "all:\n\ttrue\ntest: all\n\ttrue\n");
  const { stdout } = await koryph(root, "init");
  expect(gateOf(root)).toEqual(["make test"]);
  expect(stdout).toContain("  its gate is make test, from the tests found here; koryph gate tries it\n");
});

test("init finds the tests of Python's own unittest", async () => {
  const root = repository();
  mkdirSync(join(root, "tests"));
  writeFileSync(join(root, "pyproject.toml"), '[project]\nname = "calc"\n');
  writeFileSync(join(root, "tests/__init__.py"), "");
  writeFileSync(join(root, "tests/test_calc.py"), "import unittest\n");
  await koryph(root, "init");
  expect(gateOf(root)).toEqual(["python3 -m unittest"]);
});

test("init that finds no tests says so, and what it writes lets nothing land", async () => {
  const root = repository();
  // A pipe would be waited for.
  spawnSync("mkfifo", [join(root, "Makefile")]);
  const { code, stdout } = await koryph(root, "init");
  expect(stdout).toContain(
    "koryph found no tests here, so its gate fails until you put commands of your own there",
  );
  expect(stdout).toContain("unittest in test*.py");
  expect(code).toBe(0);
  expect((await koryph(root, "validate")).code).toBe(0);
  const [command = ""] = gateOf(root);
  const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "koryph.project.json has no gate yet: name the commands that must pass before anything lands\n",
  });
});

test("what init suggests as a first bead works", async () => {
  const root = repository();
  const bead =
    (await koryph(root, "init")).stdout.split("\n").find((line) => line.trim().startsWith("{")) ?? "";
  writeFileSync(join(root, ".koryph/beads.jsonl"), bead);
  expect((await koryph(root, "run", "--dry-run")).stdout).toContain("task-1  P2  Describe the work");
});

test("an ignore file that is there already is kept, and a weak one is named", async () => {
  const root = repository();
  mkdirSync(join(root, ".koryph"));
  writeFileSync(join(root, ".koryph/.gitignore"), "mine\n");
  const { code, stdout } = await koryph(root, "init");
  expect(readFileSync(join(root, ".koryph/.gitignore"), "utf8")).toBe("mine\n");
  expect(stdout).toContain(`${join(root, ".koryph/.gitignore")} was there already and is kept`);
  expect(code).toBe(0);
});

test("an ignore file that is a link is not written through", async () => {
  const root = repository();
  writeFileSync(join(root, "precious"), "precious");
  mkdirSync(join(root, ".koryph"));
  symlinkSync("../precious", join(root, ".koryph/.gitignore"));
  expect((await koryph(root, "init")).code).toBe(0);
  expect(readFileSync(join(root, "precious"), "utf8")).toBe("precious");
});

test.each<{ name: string; put: (root: string) => void; says: string }>([
  {
    name: "a .koryph that is a link",
    put: (root) => {
      mkdirSync(join(root, "elsewhere"));
      symlinkSync("elsewhere", join(root, ".koryph"));
    },
    says: ".koryph is a link, and koryph writes nothing there",
  },
  {
    name: "a .koryph that is a dead link",
    put: (root) => symlinkSync("nowhere", join(root, ".koryph")),
    says: ".koryph is a link, and koryph writes nothing there",
  },
  {
    name: "a .koryph that is a file",
    put: (root) => writeFileSync(join(root, ".koryph"), ""),
    says: ".koryph is no folder, and koryph writes nothing there",
  },
  {
    name: "a project file that is a dead link",
    put: (root) => symlinkSync("nowhere", join(root, "koryph.project.json")),
    says: "koryph.project.json is a link that leads nowhere",
  },
])("$name is refused, and nothing is half done", async ({ put, says }) => {
  const root = repository();
  put(root);
  const before = readdirSync(root, { recursive: true });
  const { code, stdout, stderr } = await koryph(root, "init");
  expect(stderr).toContain(says);
  expect(stderr).not.toContain("fault in koryph");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(readdirSync(root, { recursive: true })).toEqual(before);
});

test.for([".koryph", "."])(
  "a %s that may not be written is refused, and nothing is half done",
  (folder, { skip }) => {
    const why = whyNotNobody();
    if (why !== null) return skip(why);
    const root = repository();
    mkdirSync(join(root, ".koryph"));
    if (NOBODY !== null)
      for (const each of [".", ".koryph"]) chownSync(join(root, each), NOBODY.uid, NOBODY.gid);
    chmodSync(join(root, folder), 0o555);
    const { code, stderr } = koryphAsNobody(root, "init");
    chmodSync(join(root, folder), 0o755);
    expect(stderr).toMatch(/^koryph: \S+ cannot be written: EACCES[^\n]*\n {2}next: [^\n]+\n$/);
    expect(code).toBe(1);
    expect(existsSync(join(root, "koryph.project.json"))).toBe(false);
    expect(readdirSync(join(root, ".koryph"))).toEqual([]);
  },
);

test("a folder that poses as a repository steers nothing", async () => {
  const root = repository();
  const inner = join(root, "inner");
  mkdirSync(inner);
  git(inner, "init", "--quiet", "--bare", ".");
  git(inner, "config", "core.bare", "false");
  git(inner, "config", "core.worktree", tempFolder());
  expect((await koryph(inner, "init")).stdout).toContain(`wrote ${join(root, "koryph.project.json")}`);
});

test("of two that start at once one writes", async () => {
  const root = repository();
  const script = `"$1" "$2" init --id one & "$1" "$2" init --id two & wait`;
  const { stdout, stderr } = spawnSync("sh", ["-c", script, "sh", process.execPath, MAIN], {
    cwd: root,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: root },
  });
  expect([stdout.match(/^wrote /gm)?.length, stderr.match(/never overwrites/g)?.length]).toEqual([1, 1]);
  expect((await koryph(root, "validate")).code).toBe(0);
  expect(readdirSync(join(root, ".koryph"))).toEqual([".gitignore"]);
  expect(lstatSync(join(root, "koryph.project.json")).nlink).toBe(1);
});

test("init --github says what it would write, writes it once, and keeps what is somebody's own", async () => {
  const root = repository();
  await koryph(root, "init");
  const flags = ["init", "--github", "--action", `acme/koryph@${"a".repeat(40)}`];
  const dry = await koryph(root, ...flags, "--dry-run");
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toContain("would write .github/workflows/koryph-waves.yml");
  expect(existsSync(join(root, ".github"))).toBe(false);
  const written = await koryph(root, ...flags);
  expect(written.stdout).toContain("wrote .github/rulesets/koryph-process.json");
  expect(written.stdout).toContain("then: koryph doctor");
  expect(written.stdout).toContain(
    `the workflows may run acme/koryph@${"a".repeat(40)}: docs/action.md says which copy`,
  );
  for (const action of [[], ["--action", "acme/koryph@v1"]]) {
    const refused = await koryph(root, "init", "--github", ...action);
    expect(refused.stderr).toContain("git ls-remote https://github.com/<owner>/<name> 'refs/tags/v*^{}'");
    expect(refused.stderr).toContain("docs/action.md tells more");
  }
  writeFileSync(join(root, ".github/ISSUE_TEMPLATE/koryph.yml"), "ours\n");
  const again = await koryph(root, ...flags);
  expect(again.stdout).toContain(".github/workflows/koryph-waves.yml is there already");
  expect(again.stdout).toContain("kept .github/ISSUE_TEMPLATE/koryph.yml");
  expect(readFileSync(join(root, ".github/ISSUE_TEMPLATE/koryph.yml"), "utf8")).toBe("ours\n");
});

test("an App that comes later is put into the ruleset that koryph wrote, and into nothing that somebody changed", async () => {
  const root = repository();
  await koryph(root, "init");
  const process = join(root, ".github/rulesets/koryph-process.json");
  const flags = ["init", "--github", "--action", `acme/koryph@${"a".repeat(40)}`];
  await koryph(root, ...flags, "--events");
  const before = readFileSync(process, "utf8");
  const dry = await koryph(root, ...flags, "--app-id", "7", "--dry-run");
  expect(dry.stdout).toContain("would put the App 7 into .github/rulesets/koryph-process.json");
  expect(readFileSync(process, "utf8")).toBe(before);

  const { stdout } = await koryph(root, ...flags, "--app-id", "7");
  expect(stdout).toContain("put the App 7 into .github/rulesets/koryph-process.json");
  expect(JSON.parse(readFileSync(process, "utf8"))).toEqual({
    ...JSON.parse(before),
    bypass_actors: [{ actor_id: 7, actor_type: "Integration", bypass_mode: "always" }],
  });
  expect(stdout).toContain("delete .github/workflows/koryph-events.yml where koryph serve answers");
  expect(stdout).toMatch(/its line token: \$\{\{ github\.token \}\}/);
  expect((await koryph(root, ...flags, "--app-id", "7")).stdout).toContain(
    "koryph-process.json is there already",
  );

  writeFileSync(process, before.replace('"active"', '"evaluate"'));
  const ours = readFileSync(process, "utf8");
  const kept = await koryph(root, ...flags, "--app-id", "7");
  expect(kept.stdout).toContain("kept .github/rulesets/koryph-process.json");
  expect(kept.stdout).toContain(
    'in it, change "bypass_actors": [] to "bypass_actors": [{"actor_id":7,"actor_type":"Integration","bypass_mode":"always"}]',
  );
  expect(readFileSync(process, "utf8")).toBe(ours);
  expect((await koryph(root, ...flags)).stdout).not.toContain("bypass_actors");
});

test.each<{ flags: string[]; says: string }>([
  { flags: ["--github"], says: "--github needs to know which copy of koryph the workflows use" },
  { flags: ["--github", "--action", "acme/koryph@main"], says: "no copy of koryph" },
  { flags: ["--github", "--action", `a/b@${"a".repeat(40)}`, "--app-id", "x"], says: "no App's id" },
  { flags: ["--runner", "x"], says: "--runner goes with --github" },
  {
    flags: ["--github", "--action", `a/b@${"a".repeat(40)}`, "--runner", "a b"],
    says: "no label of a runner",
  },
  { flags: ["--dry-run"], says: "--dry-run goes with --github" },
])("init $flags is refused, and nothing is written", async ({ flags, says }) => {
  const root = repository();
  const refused = await koryph(root, "init", ...flags);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain(says);
  expect(readdirSync(root)).toEqual([".git"]);
});

test("init --github writes through no link that leads out of the repository", async () => {
  const [root, elsewhere] = [repository(), tempFolder()];
  await koryph(root, "init");
  symlinkSync(elsewhere, join(root, ".github"));
  const refused = await koryph(root, "init", "--github", "--action", `acme/koryph@${"a".repeat(40)}`);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(".github is a link that leads out of the repository");
  expect(readdirSync(elsewhere)).toEqual([]);
});
