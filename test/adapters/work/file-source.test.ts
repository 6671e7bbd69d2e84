import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FileSource, WORK_FILE } from "../../../src/adapters/work/file-source.js";
import { UserError } from "../../../src/lib/user-error.js";
import { git } from "../../support/cli/project.js";
import { ids } from "../../support/core/beads.js";
import { tempFolder } from "../../support/temp-folder.js";

afterEach(() => void vi.unstubAllEnvs());

function write(root: string, text: string): string {
  const path = join(root, WORK_FILE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function folderWith(...beads: object[]): string {
  const root = tempFolder();
  write(root, beads.map((bead) => `${JSON.stringify(bead)}\n`).join(""));
  return root;
}

async function refusal(root: string): Promise<UserError> {
  const answer = await new FileSource(root).all().catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(UserError);
  return answer as UserError;
}

const graph = [
  { id: "epic", title: "The epic", issue_type: "epic" },
  { id: "a", title: "First", dependencies: [{ issue_id: "a", depends_on_id: "epic", type: "parent-child" }] },
  { id: "b", title: "Second", parent: "epic", dependencies: [{ id: "a", dependency_type: "blocks" }] },
  {
    id: "c",
    title: "Third",
    parent: "b",
    dependencies: [{ issue_id: "c", depends_on_id: "done", type: "blocks" }],
  },
  { id: "done", title: "Before", status: "closed", parent: "epic" },
  { id: "busy", title: "Now", status: "in_progress" },
];

describe("reading", () => {
  test("all beads come in the file's order, closed ones included", async () => {
    expect(ids(await new FileSource(folderWith(...graph)).all())).toEqual([
      "epic",
      "a",
      "b",
      "c",
      "done",
      "busy",
    ]);
  });

  test("both dependency shapes give blockers and parents", async () => {
    const beads = await new FileSource(folderWith(...graph)).all();
    expect(beads.map(({ id, parent, blockers }) => ({ id, parent, blockers }))).toMatchObject([
      { id: "epic", parent: null, blockers: [] },
      { id: "a", parent: "epic", blockers: [] },
      { id: "b", parent: "epic", blockers: ["a"] },
      { id: "c", parent: "b", blockers: ["done"] },
      { id: "done" },
      { id: "busy" },
    ]);
  });

  test("ready beads are open ones whose blockers are closed", async () => {
    expect(ids(await new FileSource(folderWith(...graph)).ready())).toEqual(["epic", "a", "c"]);
  });

  test.each([
    { name: "below a parent, however deep", parent: "epic", expected: ["a", "c"] },
    { name: "below a bead without ready children", parent: "a", expected: [] },
    { name: "below nobody", parent: "nobody", expected: [] },
  ])("ready beads $name", async ({ parent, expected }) => {
    expect(ids(await new FileSource(folderWith(...graph)).ready({ parent }))).toEqual(expected);
  });

  test("a bead is found by its id", async () => {
    expect(await new FileSource(folderWith(...graph)).get("c")).toMatchObject({ title: "Third" });
  });

  test("a bead that does not exist is null", async () => {
    expect(await new FileSource(folderWith(...graph)).get("nobody")).toBeNull();
  });

  test("children are the direct ones, closed ones included", async () => {
    expect(ids(await new FileSource(folderWith(...graph)).children("epic"))).toEqual(["a", "b", "done"]);
  });

  test.each([
    { name: "an empty file has no beads", text: "", expected: [] },
    { name: "blank lines are passed over", text: '\n{"id":"a","title":"A"}\n  \n', expected: ["a"] },
    { name: "the last line needs no line break", text: '{"id":"a","title":"A"}', expected: ["a"] },
    {
      name: "Windows line breaks are read",
      text: '{"id":"a","title":"A"}\r\n{"id":"b","title":"B"}\r\n',
      expected: ["a", "b"],
    },
    { name: "a byte-order mark is forgiven", text: '\uFEFF{"id":"a","title":"A"}\n', expected: ["a"] },
    {
      name: "lines about something else are passed over",
      text: '{"_type":"memory"}\n{"id":"a","title":"A"}\n',
      expected: ["a"],
    },
  ])("$name", async ({ text, expected }) => {
    const root = tempFolder();
    write(root, text);
    expect(ids(await new FileSource(root).all())).toEqual(expected);
  });

  test("a change of the file is seen by the next read", async () => {
    const root = folderWith({ id: "a", title: "A" });
    const source = new FileSource(root);
    await source.all();
    write(root, '{"id":"b","title":"B"}\n{"id":"c","title":"C"}\n');
    expect(ids(await source.all())).toEqual(["b", "c"]);
  });

  test("a file of the same size put in its place is seen too", async () => {
    const root = folderWith({ id: "a", title: "A" });
    const source = new FileSource(root);
    await source.all();
    writeFileSync(join(root, "new"), '{"id":"b","title":"B"}\n');
    renameSync(join(root, "new"), join(root, WORK_FILE));
    expect(ids(await source.all())).toEqual(["b"]);
  });

  test("a file that went away is an error, not what was read before", async () => {
    const root = folderWith({ id: "a", title: "A" });
    const source = new FileSource(root);
    await source.all();
    rmSync(join(root, WORK_FILE));
    await expect(source.all()).rejects.toThrow("was not found");
  });
});

describe("mistakes", () => {
  const good = '{"id":"a","title":"A"}';
  const cases: { name: string; lines: string[]; at: { line: number; reason: string }[] }[] = [
    {
      name: "a line that is no JSON",
      lines: [good, '{"id":"b",}'],
      at: [{ line: 2, reason: "not JSON: Expected double-quoted property name at column 11" }],
    },
    {
      name: "a line cut short",
      lines: [good, "", '{"id":"b","ti'],
      at: [{ line: 3, reason: "not JSON: Unterminated string at column 14" }],
    },
    {
      name: "a bead without a title",
      lines: [good, '{"id":"b","title":""}'],
      at: [{ line: 2, reason: 'title: found "", needed a text, not an empty one' }],
    },
    {
      name: "an edge of neither shape",
      lines: ['{"id":"b","title":"B","dependencies":[{"to":"a"}]}'],
      at: [
        {
          line: 1,
          reason: 'dependencies[0]: found {"to":"a"}, needed {depends_on_id, type} or {id, dependency_type}',
        },
      ],
    },
    {
      name: "an id used twice",
      lines: [good, '{"id":"b","title":"B"}', good],
      at: [{ line: 3, reason: "id a stands on line 1 already" }],
    },
    {
      name: "an id used three times",
      lines: [good, good, good],
      at: [
        { line: 2, reason: "id a stands on line 1 already" },
        { line: 3, reason: "id a stands on line 1 already" },
      ],
    },
    {
      name: "several wrong lines",
      lines: ["nope", good, '{"id":"b","title":""}'],
      at: [
        { line: 1, reason: "not JSON: Unexpected token 'o' at column 2" },
        { line: 3, reason: 'title: found "", needed a text, not an empty one' },
      ],
    },
  ];

  test.each(cases)("$name is reported with file, line and reason", async ({ lines, at }) => {
    const root = tempFolder();
    const path = write(root, lines.join("\n"));
    const { message, hint } = await refusal(root);
    expect(message.split("\n")).toEqual(at.map(({ line, reason }) => `${path}:${line}: ${reason}`));
    expect(hint).toBe("mend the file; no bead was read");
  });

  test.each(cases)(
    "$name leaves the file as it was, byte for byte, and nothing beside it",
    async ({ lines }) => {
      const root = tempFolder();
      const path = write(root, lines.join("\n"));
      const before = readFileSync(path);
      await refusal(root);
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(readdirSync(root, { recursive: true }).sort()).toEqual([".koryph", WORK_FILE]);
    },
  );

  test("of very many wrong lines the first twenty are shown and the rest counted", async () => {
    const root = tempFolder();
    write(root, "nope\n".repeat(25));
    const shown = (await refusal(root)).message.split("\n");
    expect([shown.length, shown.at(-1)]).toEqual([21, "and 5 more malformed lines"]);
  });

  test("a reason cannot smuggle control characters onto the terminal", async () => {
    const root = folderWith({
      id: "b",
      title: "B",
      dependencies: [{ issue_id: "\u001b[2J", depends_on_id: "a" }],
    });
    expect((await refusal(root)).message).toContain("an edge of \u{FFFD}[2J is listed under b");
  });

  test("a missing file is named, with what to write into it", async () => {
    const root = tempFolder();
    const { message, hint } = await refusal(root);
    expect(message).toBe(`${join(root, WORK_FILE)} was not found`);
    expect(hint).toContain('{"id":"demo-1"');
  });

  test("a file that cannot be reached is not a missing one", async () => {
    const root = tempFolder();
    writeFileSync(join(root, ".koryph"), "a file where a folder should be");
    expect((await refusal(root)).message).toBe(`${join(root, ".koryph")} is not a folder`);
  });

  test.each([
    { name: "a folder", put: (path: string) => mkdirSync(path) },
    {
      name: "a pipe nobody writes to",
      put: (path: string) => execFileSync("sh", ["-c", 'mkfifo "$0"', path]),
    },
  ])("$name in the work file's place is refused at once", async ({ put }) => {
    const root = tempFolder();
    mkdirSync(join(root, ".koryph"));
    put(join(root, WORK_FILE));
    expect((await refusal(root)).message).toBe(`${join(root, WORK_FILE)} is not a regular file`);
  });
});

describe("in a repository", () => {
  function repository(): string {
    const root = folderWith({ id: "a", title: "A" });
    git(root, "init", "--quiet");
    return root;
  }

  test("an untracked work file is read", async () => {
    expect(ids(await new FileSource(repository()).all())).toEqual(["a"]);
  });

  test("an ignored work file is read", async () => {
    const root = repository();
    writeFileSync(join(root, ".gitignore"), ".koryph/\n");
    git(root, "add", ".gitignore");
    expect(ids(await new FileSource(root).all())).toEqual(["a"]);
  });

  test.each([
    { name: "staged", afterwards: (_root: string) => {} },
    { name: "committed", afterwards: (root: string) => git(root, "commit", "--quiet", "--message", "x") },
  ])("a work file that is $name is refused and left alone", async ({ afterwards }) => {
    const root = repository();
    git(root, "add", "--force", WORK_FILE);
    afterwards(root);
    const path = join(root, WORK_FILE);
    const before = readFileSync(path);
    const { message, hint } = await refusal(root);
    expect(message).toBe(`${path} is tracked by git, so a branch could change the work it was made for`);
    expect(hint).toContain(`git rm --cached ${WORK_FILE}`);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("a work file that was not tracked when it was last read, and is now, is refused", async () => {
    const root = repository();
    writeFileSync(join(root, "README.md"), "# shop\n");
    git(root, "add", "README.md");
    const source = new FileSource(root);
    expect(ids(await source.all())).toEqual(["a"]);
    git(root, "add", "--force", WORK_FILE);
    write(root, '{"id":"b","title":"B"}\n');
    await expect(source.all()).rejects.toThrow("is tracked by git");
    git(root, "rm", "--quiet", "--cached", "--force", WORK_FILE);
    expect(ids(await source.all())).toEqual(["b"]);
  });

  test("a work file that is a link to a tracked file is refused", async () => {
    const root = repository();
    renameSync(join(root, WORK_FILE), join(root, "elsewhere.jsonl"));
    symlinkSync("../elsewhere.jsonl", join(root, WORK_FILE));
    git(root, "add", "elsewhere.jsonl");
    expect((await refusal(root)).message).toBe(
      `${join(root, WORK_FILE)} is a link, and could lead to files that a branch changes`,
    );
  });

  test("a .koryph that is a link to a tracked folder is refused", async () => {
    const root = repository();
    renameSync(join(root, ".koryph"), join(root, "elsewhere"));
    symlinkSync("elsewhere", join(root, ".koryph"));
    git(root, "add", "elsewhere");
    expect((await refusal(root)).message).toBe(
      `${join(root, ".koryph")} is a link, and could lead to files that a branch changes`,
    );
  });

  test("a .koryph that poses as a repository hides nothing from git, and its commands are not run", async () => {
    const root = repository();
    poseAsRepository(join(root, ".koryph"), join(root, "pwned"));
    git(root, "add", "--force", WORK_FILE);
    expect((await refusal(root)).message).toContain("is tracked by git");
    expect(existsSync(join(root, "pwned"))).toBe(false);
  });

  test("a project folder that poses as a repository is refused, and its commands are not run", async () => {
    const root = repository();
    const below = join(root, "packages/shop");
    mkdirSync(below, { recursive: true });
    write(below, '{"id":"b","title":"B"}\n');
    poseAsRepository(below, join(root, "pwned"));
    expect((await refusal(below)).message).toContain("git cannot say whether");
    expect(existsSync(join(root, "pwned"))).toBe(false);
  });

  test("a repository that git will not answer for is no folder without one", async () => {
    const root = repository();
    rmSync(join(root, ".git"), { recursive: true });
    writeFileSync(join(root, ".git"), "nonsense");
    const { message, hint } = await refusal(root);
    expect(message).toContain("git cannot say whether");
    expect(message).toContain("invalid gitfile format");
    expect(hint).toContain("git status");
  });

  test("a work file taken out of the index again is read", async () => {
    const root = repository();
    git(root, "add", "--force", WORK_FILE);
    git(root, "commit", "--quiet", "--message", "x");
    git(root, "rm", "--quiet", "--cached", "--force", WORK_FILE);
    expect(ids(await new FileSource(root).all())).toEqual(["a"]);
  });

  test("a tracked work file is refused in a project below the repository's top", async () => {
    const root = repository();
    const below = join(root, "packages/[shop]");
    mkdirSync(below, { recursive: true });
    write(below, '{"id":"b","title":"B"}\n');
    git(root, "add", "--force", ".");
    expect((await refusal(below)).message).toContain("is tracked by git");
  });

  test("the environment of a calling git hook does not hide that a file is tracked", async () => {
    const root = repository();
    git(root, "add", "--force", WORK_FILE);
    const other = tempFolder();
    git(other, "init", "--quiet");
    vi.stubEnv("GIT_DIR", join(other, ".git"));
    expect((await refusal(root)).message).toContain("is tracked by git");
  });
});

/** Makes a folder look like a repository whose settings run a command, as a branch can by tracking such files. */
function poseAsRepository(folder: string, proof: string): void {
  git(folder, "init", "--quiet", "--bare", ".");
  git(folder, "config", "core.bare", "false");
  git(folder, "config", "core.worktree", ".");
  writeFileSync(join(folder, "some-file"), "");
  git(folder, "--git-dir=.", "add", "some-file");
  git(folder, "--git-dir=.", "config", "core.fsmonitor", `touch '${proof}'; true`);
}
