import { expect, test } from "vitest";
import { isProtected, LIFTABLE_PATHS, PROTECTED_PATHS } from "../../../src/core/land/protected-paths.js";

const atRoot = {
  files: [
    ...["MEMORY.md", "CLAUDE-ACCOUNTS.md", "koryph.project.json", "Makefile"],
    ...[".pre-commit-config.yaml", ".gitignore", ".allowed_signers"],
  ],
  folders: [".beads", ".koryph", "hooks", "agents", ".github", "scripts/lib"],
};
const anywhere = {
  files: [
    ...["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".mcp.json"],
    ...["opencode.json", "opencode.jsonc", ".npmrc", ".envrc"],
  ],
  folders: [".claude", ".codex", ".cursor", ".opencode", ".husky", ".vscode"],
};
const files = [...atRoot.files, ...anywhere.files];
const folders = [...atRoot.folders, ...anywhere.folders];

test("the built-in list has these entries and no other", () => {
  expect([...PROTECTED_PATHS].sort()).toEqual([...files, ...folders.map((folder) => `${folder}/`)].sort());
});

test.each(atRoot.files.map((path) => ({ path })))(
  "$path is protected at the root, and not in a folder",
  ({ path }) => {
    expect([isProtected(path, []), isProtected(`src/${path}`, [])]).toEqual([true, false]);
  },
);

test.each(anywhere.files.map((path) => ({ path })))("$path is protected in every folder", ({ path }) => {
  const asked = [path, `src/${path}`, `packages/a/${path}`, `src/${path}/below.txt`];
  expect(asked.map((asking) => isProtected(asking, []))).toEqual([true, true, true, true]);
});

test.each(files.map((path) => ({ path })))("$path does not protect names that begin with it", ({ path }) => {
  expect([isProtected(`${path}x`, []), isProtected(`src/${path}x`, [])]).toEqual([false, false]);
});

test.each(atRoot.folders.map((path) => ({ path })))(
  "$path is protected with all below it, at the root only",
  ({ path }) => {
    const asked = [path, `${path}/`, `${path}/deep/down.txt`, `src/${path}/down.txt`, `${path}x/down.txt`];
    expect(asked.map((asking) => isProtected(asking, []))).toEqual([true, true, true, false, false]);
  },
);

test.each(anywhere.folders.map((path) => ({ path })))(
  "$path is protected with all below it, in every folder",
  ({ path }) => {
    const asked = [path, `${path}/deep/down.txt`, `packages/a/${path}/down.txt`, `src/${path}x/down.txt`];
    expect(asked.map((asking) => isProtected(asking, []))).toEqual([true, true, true, false]);
  },
);

test.each([
  { name: "a built-in folder", path: "scripts", extra: [] },
  { name: "a folder of the project's own", path: "infra", extra: ["infra/prod/keys"] },
  { name: "a folder of the project's own, further down", path: "infra/prod", extra: ["infra/prod/keys"] },
])("a file or link in the place of a folder above $name is protected", ({ path, extra }) => {
  expect([isProtected(path, extra), isProtected(`${path}/other.txt`, extra)]).toEqual([true, false]);
});

test.each([...files, ...folders].map((path) => ({ path })))("letter case does not open $path", ({ path }) => {
  expect([isProtected(path.toUpperCase(), []), isProtected(path.toLowerCase(), [])]).toEqual([true, true]);
});

test.each([
  { name: "a leading ./", path: "./CLAUDE.md" },
  { name: "a leading slash", path: "/CLAUDE.md" },
  { name: "doubled slashes", path: ".github//workflows//ci.yml" },
  { name: "a dot in between", path: "scripts/./lib/x.sh" },
  { name: "a detour through another folder", path: "src/../.github/ci.yml" },
  { name: "backslashes", path: ".github\\workflows\\ci.yml" },
  { name: "full-width letters", path: "ＣＬＡＵＤＥ.md" },
  { name: "a dot at the end of a folder", path: ".github./workflows/ci.yml" },
  { name: "spaces at the end of a folder", path: ".github  /workflows/ci.yml" },
  { name: "dots and spaces at the end of a file", path: "CLAUDE.md. ." },
  { name: "a zero-width space", path: "CLAUDE\u200b.md" },
  { name: "a zero-width joiner in a folder", path: ".git\u200dhub/workflows/ci.yml" },
  { name: "a soft hyphen", path: "AGENTS\u00ad.md" },
  { name: "a long s", path: "hookſ/x" },
  { name: "a Kelvin sign", path: "MAKEFILE".replace("K", "\u212a") },
])("$name does not open a protected path", ({ path }) => expect(isProtected(path, [])).toBe(true));

test.each([
  { path: "../x" },
  { path: "src/../../x" },
  { path: ".." },
  { path: "" },
  { path: "." },
  { path: "/" },
  { path: "src/.." },
])("$path does not name a place inside the repository, so it is protected", ({ path }) => {
  expect(isProtected(path, [])).toBe(true);
});

test.each([
  { path: "src/main.ts" },
  { path: "README.md" },
  { path: "scripts/build.sh" },
  { path: "src/../docs/a.md" },
])("$path is not protected", ({ path }) => expect(isProtected(path, [])).toBe(false));

test.each([
  {
    name: "a file of the project's own list is protected",
    extra: "deploy.yml",
    path: "deploy.yml",
    expected: true,
  },
  {
    name: "a folder of the project's own list is protected",
    extra: "infra/",
    path: "infra/a/b.tf",
    expected: true,
  },
  { name: "a folder needs no slash at its end", extra: "infra", path: "infra/a/b.tf", expected: true },
  {
    name: "the project's own list is matched whatever the case",
    extra: "Infra/",
    path: "INFRA/a",
    expected: true,
  },
  { name: "a sharp s stands for two", extra: "classes/", path: "claßes/a", expected: true },
  { name: "an entry may be written with ./", extra: "./infra", path: "infra/a", expected: true },
  { name: "an entry counts from the root", extra: "infra", path: "src/infra/a", expected: false },
  { name: "an entry protects whole names", extra: "infra", path: "infrastructure/a", expected: false },
  { name: "an empty entry protects nothing", extra: "", path: "src/a", expected: false },
  {
    name: "an entry that leaves the repository protects nothing",
    extra: "../src",
    path: "src/a",
    expected: false,
  },
  {
    name: "an entry takes nothing from the built-in list",
    extra: "!CLAUDE.md",
    path: "CLAUDE.md",
    expected: true,
  },
])("$name", ({ extra, path, expected }) => expect(isProtected(path, [extra])).toBe(expected));

test.each([
  {
    name: "with backslashes that another machine would resolve",
    path: ".github/workflows/x\\..\\..\\..\\evil.yml",
  },
  { name: "with a two-dot leader", path: ".github/\u2025/x" },
  { name: "with full-width slashes", path: ".github/a\uff0f..\uff0f..\uff0fb" },
  { name: "whose separators are backslashes", path: ".github\\workflows\\ci.yml" },
])("a file in a protected folder stays protected under a name $name", ({ path }) =>
  expect(isProtected(path)).toBe(true),
);

test("a person may lift .github/ and Makefile, and nothing else", () => {
  expect(LIFTABLE_PATHS).toEqual([".github/", "Makefile"]);
});

test.each<{ name: string; path: string; extra?: string[]; expected: boolean }>([
  { name: "Makefile is open when it is lifted", path: "Makefile", expected: false },
  { name: "a lifted folder is open with all below it", path: ".github/workflows/ci.yml", expected: false },
  { name: "in any letter case", path: ".GitHub/workflows/ci.yml", expected: false },
  { name: "the rest of the list stays closed", path: "CLAUDE.md", expected: true },
  { name: "so do the signers", path: ".allowed_signers", expected: true },
  { name: "so does what leaves the repository", path: ".github/../../x", expected: true },
  {
    name: "a detour out of a lifted folder leads into a closed one",
    path: ".github/../hooks/x",
    expected: true,
  },
  {
    name: "the project's own list is lifted by nobody",
    path: ".github/workflows/release.yml",
    extra: [".github/workflows/release.yml"],
    expected: true,
  },
  {
    name: "not even where it repeats the built-in one",
    path: "Makefile",
    extra: ["Makefile"],
    expected: true,
  },
])("$name", ({ path, extra = [], expected }) => {
  expect(isProtected(path, extra, LIFTABLE_PATHS)).toBe(expected);
});

test.each(PROTECTED_PATHS.filter((path) => !LIFTABLE_PATHS.includes(path)).map((path) => ({ path })))(
  "$path stays closed whatever is lifted",
  ({ path }) => expect(isProtected(path, [], LIFTABLE_PATHS)).toBe(true),
);
