import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as core from "koryph/core";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");
const pkg = JSON.parse(read("package.json"));

test("every dependency is pinned exactly", () => {
  const versions = { ...pkg.dependencies, ...pkg.devDependencies, ...pkg.overrides };
  expect(Object.entries(versions).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual(
    [],
  );
});

test("the lock file names no download address", () => {
  expect(read("package-lock.json")).not.toContain('"resolved"');
});

test("koryph/core gives the rules to whoever builds on them", () => {
  const { footprintOf, conflicts, buildWave, auditPlan, resolveModel, engineSatisfies, isProtected } = core;
  expect(footprintOf(["fp:b", "fp:a", "fp:read:c"], {})).toEqual({ reads: ["c"], writes: ["a", "b"] });
  expect(conflicts({ reads: ["a"], writes: [] }, { reads: [], writes: ["a"] })).toBe(true);
  expect(buildWave({ frontier: [], areaMap: {} }).selected).toEqual([]);
  expect(auditPlan({ beads: [], areaMap: {} }).totalOpen).toBe(0);
  expect(resolveModel({ stage: "implement" })).toMatchObject({ model: "sonnet" });
  expect(engineSatisfies("0.2.3", "0.2+")).toBe(true);
  expect(isProtected(".github/workflows/ci.yml", [])).toBe(true);
});

test("koryph/core says in which pool an agent counts", () => {
  expect(core.poolOfAgent({ runtime: "claude", profile: null })).toBe("");
  expect(core.poolOfAgent({ runtime: "codex", profile: null })).toBe("codex");
  expect(core.poolOfAgent({ runtime: "claude", profile: "ab12" })).toBe("claude:ab12");
});

test.each([
  "footprintOf",
  "conflicts",
  "buildWave",
  "auditPlan",
  "resolveModel",
  "engineSatisfies",
  "isProtected",
  ...["fairShares", "admit", "reportRateLimit", "effectiveCap", "memoryAdmits", "quotaLevel", "scaledWidth"],
  ...["preflight", "verifyIdentity", "poolOfAgent", "chooseBilling"],
])("%s has a doc comment in what the package ships", (name) => {
  const declarations = readdirSync(`${ROOT}dist/core`, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".d.ts"))
    .map((file) => read(`dist/core/${file}`));
  const documented = new RegExp(`\\*/\\nexport declare function ${name}\\(`);
  expect(declarations.some((text) => documented.test(text))).toBe(true);
});

test("the top level stays readable", () => {
  const shown = readdirSync(ROOT).filter(
    (name) => !name.startsWith(".") && !/^(node_modules|dist.*|coverage)$/.test(name),
  );
  const allowed = [
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE",
    "README.md",
    "action.yml",
    "app.yml",
    "docs",
    "package-lock.json",
    "package.json",
    "share",
    "src",
    "test",
    "tsconfig.json",
  ];
  expect(shown.filter((name) => !allowed.includes(name))).toEqual([]);
});

test("no shipped or documented text speaks of the place it was written in", () => {
  const text = ["README.md", "CONTRIBUTING.md", "package.json", ".ci/run", ".ci/prepare.mjs"]
    .map(read)
    .join("\n");
  expect(text).not.toMatch(/\/home\/|\/root\/|\/Users\//);
});
