import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { annotationsIn } from "../../support/cli/runner-text.js";
import { LONG, longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Installs a compiler that copies the source; two at once in one checkout find each other out. */
const NPM = `#!${process.execPath}
const fs = require("node:fs");
if (fs.existsSync("fail-npm")) process.exit(7);
if (process.env.npm_config_global || process.env.npm_config_location) process.exit(8);
fs.appendFileSync("calls", "npm\\n");
fs.mkdirSync("busy");
fs.rmSync("node_modules", { recursive: true, force: true });
fs.mkdirSync("node_modules/typescript/bin", { recursive: true });
fs.copyFileSync("tsc.js", "node_modules/typescript/bin/tsc");
fs.mkdirSync("node_modules/rolldown");
fs.writeFileSync("node_modules/rolldown/package.json", '{"type":"module","exports":"./index.js"}');
fs.copyFileSync("rolldown.js", "node_modules/rolldown/index.js");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
fs.rmdirSync("busy");
`;

const TSC = `const fs = require("node:fs");
fs.appendFileSync("calls", "tsc\\n");
fs.mkdirSync("busy");
const out = process.argv[process.argv.indexOf("--outDir") + 1];
fs.cpSync("src", out, { recursive: true });
fs.rmdirSync("busy");
if (fs.existsSync("hang-tsc")) { fs.writeFileSync("hanging", ""); setInterval(() => {}, 1000); }
if (fs.existsSync("fail-tsc")) { console.error("src/a.ts: error"); process.exitCode = 2; }
`;

const ROLLDOWN = `import fs from "node:fs";
export const rolldown = async () => ({
  write: async ({ dir }) => {
    // The one program that is a file by itself.
    if (dir === undefined) return;
    fs.mkdirSync(dir, { recursive: true });
    fs.appendFileSync(dir + "/a.js", fs.existsSync("fail-bundle") ? missing : "");
  },
  close: async () => {},
});
`;

/** A checkout with this repository's script and next to nothing to install or compile. */
function checkout(): string {
  const root = tempFolder();
  chmodSync(root, 0o755);
  cpSync(join(ROOT, ".ci"), join(root, ".ci"), { recursive: true });
  mkdirSync(join(root, "src"));
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "src/a.js"), "first");
  for (const name of ["tsconfig.json", "package-lock.json", "package.json"])
    writeFileSync(join(root, name), "{}");
  writeFileSync(join(root, "tsc.js"), TSC);
  writeFileSync(join(root, "rolldown.js"), ROLLDOWN);
  writeFileSync(join(root, "bin/npm"), NPM, { mode: 0o755 });
  // Changed a while ago, as far as the build can see.
  for (const name of ["src/a.js", "src", "tsconfig.json", "package-lock.json"]) age(join(root, name));
  return root;
}

function age(path: string): void {
  utimesSync(path, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
}

function command(root: string, env: NodeJS.ProcessEnv = {}) {
  return {
    args: [join(root, ".ci/prepare.mjs")],
    options: { cwd: root, env: { PATH: `${join(root, "bin")}${delimiter}${process.env.PATH}`, ...env } },
  };
}

function prepare(root: string, env: NodeJS.ProcessEnv = {}, ...flags: readonly string[]) {
  const { args: script, options } = command(root, env);
  const args = [...script, ...flags];
  const ended = spawnSync(process.execPath, args, { ...options, encoding: "utf8", timeout: 50_000 });
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

function start(root: string): ChildProcess {
  const { args, options } = command(root);
  const child = spawn(process.execPath, args, { ...options, stdio: "ignore", detached: true });
  onTestFinished(() => {
    // The group: its compiler hangs on purpose.
    if (child.pid) spawnSync("kill", ["-KILL", "--", `-${child.pid}`], { stdio: "ignore" });
  });
  return child;
}

function built(root: string): string {
  return readFileSync(join(root, "dist/a.js"), "utf8");
}

function calls(root: string): string[] {
  return readFileSync(join(root, "calls"), "utf8").trim().split("\n");
}

/** What no finished build leaves: it leaves its programs, and its modules one by one. */
function leftovers(root: string): string[] {
  const wanted = ["dist", "dist.modules"];
  return readdirSync(root).filter((name) => name.startsWith("dist") && !wanted.includes(name));
}

describe("a fresh checkout", () => {
  test("is installed and built once, and then left alone", () => {
    const root = checkout();
    expect(prepare(root)).toMatchObject({ code: 0, stdout: "" });
    expect(prepare(root)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect({ built: built(root), calls: calls(root), left: leftovers(root) }).toEqual({
      built: "first",
      calls: ["npm", "tsc"],
      left: [],
    });
  });

  longTest("says in the Action that it is built, and why", () => {
    const { code, stdout } = prepare(checkout(), {}, "--action");
    expect(code).toBe(0);
    expect(stdout).toContain("this commit is no release, so the Action is installed and built here");
  });

  test("of a commit that was built on this runner before takes that build, and says so", () => {
    const tools = tempFolder();
    const first = checkout();
    expect(prepare(first, { RUNNER_TOOL_CACHE: tools }, "--action").stdout).toContain(
      "installed and built here",
    );
    const [second, changed] = [checkout(), checkout()];
    expect(prepare(second, { RUNNER_TOOL_CACHE: tools }, "--action")).toEqual({
      code: 0,
      stdout: "koryph: this commit is no release, and this runner kept what was built of it before.\n",
      stderr: "",
    });
    expect(existsSync(join(second, "dist/a.js"))).toBe(true);
    expect(prepare(second, { RUNNER_TOOL_CACHE: tools }, "--action")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(existsSync(join(second, "calls"))).toBe(false);
    writeFileSync(join(changed, "src/a.js"), "second");
    prepare(changed, { RUNNER_TOOL_CACHE: tools }, "--action");
    expect({ built: built(changed), calls: calls(changed) }).toEqual({
      built: "second",
      calls: ["npm", "tsc"],
    });
    expect(readdirSync(join(tools, "koryph"))).toHaveLength(2);
  });

  test("is built for the Action also where the runner's tools cannot be written", () => {
    const root = checkout();
    const tools = join(root, "tsc.js");
    expect(prepare(root, { RUNNER_TOOL_CACHE: tools }, "--action")).toMatchObject({ code: 0 });
    expect(built(root)).toBe("first");
  });

  test("of a release builds nothing for the Action, and is built for whoever works on it", () => {
    const root = checkout();
    mkdirSync(join(root, "dist"));
    writeFileSync(join(root, "dist/.release"), "1.2.3\n");
    expect(prepare(root, {}, "--action")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(existsSync(join(root, "calls"))).toBe(false);
    expect(prepare(root)).toMatchObject({ code: 0 });
    expect(calls(root)).toEqual(["npm", "tsc"]);
  });

  longTest("is prepared as a step of a global install", () => {
    const root = checkout();
    const env = { npm_config_global: "true", npm_config_location: "global" };
    expect(prepare(root, env)).toMatchObject({ code: 0, stdout: "" });
  });

  describe("where somebody ran npm ci", () => {
    const LOCKED = {
      "": { name: "koryph" },
      "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
      "node_modules/b": { version: "1.0.0", integrity: "sha512-b", dev: true },
      "node_modules/other-platform": { version: "1.0.0", integrity: "sha512-c", optional: true },
    };

    test.each<{ name: string; found: object; installs: boolean }>(
      [
        { name: "is as npm left it", found: {}, installs: false },
        { name: "lacks the tools of developers", found: { "node_modules/b": undefined }, installs: true },
        { name: "has another version", found: { "node_modules/a": { version: "1.0.1" } }, installs: true },
        { name: "has one too many", found: { "node_modules/c": { version: "1.0.0" } }, installs: true },
      ].slice(0, LONG ? 4 : 2),
    )("and it $name", ({ found, installs }) => {
      const root = checkout();
      prepare(root);
      rmSync(join(root, "node_modules/.koryph-installed"));
      const { "": _, "node_modules/other-platform": __, ...there } = LOCKED;
      const write = (path: string, packages: object) => {
        writeFileSync(join(root, path), JSON.stringify({ packages }));
        age(join(root, path));
      };
      write("package-lock.json", LOCKED);
      write("node_modules/.package-lock.json", { ...there, ...found });
      expect(prepare(root)).toMatchObject({ code: 0 });
      expect(calls(root).filter((call) => call === "npm")).toHaveLength(installs ? 2 : 1);
    });
  });

  longTest("that five processes want at once is prepared by one of them", async () => {
    const root = checkout();
    const codes = await Promise.all([1, 2, 3, 4, 5].map(async () => (await once(start(root), "exit"))[0]));
    expect(codes).toEqual([0, 0, 0, 0, 0]);
    expect({ built: built(root), calls: calls(root), left: leftovers(root) }).toEqual({
      built: "first",
      calls: ["npm", "tsc"],
      left: [],
    });
  });

  test("whose preparation was killed is prepared by the next, and nothing is left of the first", async () => {
    const root = checkout();
    writeFileSync(join(root, "hang-tsc"), "");
    const killed = start(root);
    await vi.waitFor(() => expect(existsSync(join(root, "hanging"))).toBe(true), { timeout: 30_000 });
    const ended = once(killed, "exit");
    killed.kill("SIGKILL");
    await ended;
    expect(leftovers(root)).toEqual([`dist.${killed.pid}`, "dist.lock"]);
    rmSync(join(root, "hang-tsc"));
    mkdirSync(join(root, "dist.4194999.old"));
    expect(prepare(root)).toMatchObject({ code: 0 });
    expect({ built: built(root), left: leftovers(root) }).toEqual({ built: "first", left: [] });
  });

  longTest("whose lock names a process that is not the one it was is prepared", () => {
    const root = checkout();
    mkdirSync(join(root, "dist.lock"));
    const holder = { pid: process.pid, start: "1", host: hostname(), nonce: "old" };
    writeFileSync(join(root, "dist.lock/holder"), JSON.stringify(holder));
    expect(prepare(root)).toMatchObject({ code: 0 });
    expect(leftovers(root)).toEqual([]);
  });
});

describe("a change", () => {
  test("is built, in the place of the last build", () => {
    const root = checkout();
    prepare(root);
    writeFileSync(join(root, "src/a.js"), "second");
    expect(prepare(root)).toMatchObject({ code: 0 });
    expect(built(root)).toBe("second");
  });

  longTest("that does not compile leaves the last build, and says so", () => {
    const root = checkout();
    prepare(root);
    writeFileSync(join(root, "src/a.js"), "broken");
    writeFileSync(join(root, "fail-tsc"), "");
    const { code, stderr } = prepare(root);
    expect(stderr).toMatch(/src\/a\.ts: error\nkoryph could not be built: tsc ended with 2, see above\.\n$/);
    expect({ code, built: built(root), left: leftovers(root) }).toEqual({
      code: 1,
      built: "first",
      left: [],
    });
  });

  longTest("that cannot be bundled leaves the last build, and says so", () => {
    const root = checkout();
    prepare(root);
    writeFileSync(join(root, "src/a.js"), "broken");
    writeFileSync(join(root, "fail-bundle"), "");
    const { code, stderr } = prepare(root);
    expect(stderr).toMatch(/its programs could not be bundled, see above\.\n$/);
    expect({ code, built: built(root), left: leftovers(root) }).toEqual({
      code: 1,
      built: "first",
      left: [],
    });
  });

  longTest("made while the compiler runs is built the next time", () => {
    const root = checkout();
    writeFileSync(join(root, "tsc.js"), `${TSC}fs.writeFileSync("src/b.js", "late");\n`);
    prepare(root);
    writeFileSync(join(root, "node_modules/typescript/bin/tsc"), TSC);
    prepare(root);
    expect(existsSync(join(root, "dist/b.js"))).toBe(true);
  });
});

describe("one sentence each", () => {
  test.each<{ name: string; version: string; fits: boolean }>(
    [
      { name: "20.18", version: "20.18.3", fits: false },
      { name: "20.19", version: "20.19.0", fits: true },
      { name: "21", version: "21.7.3", fits: false },
      { name: "22.11", version: "22.11.0", fits: false },
      { name: "22.12", version: "22.12.0", fits: true },
      { name: "22.0", version: "22.0.0", fits: false },
      { name: "23", version: "23.0.0", fits: true },
      { name: "18", version: "18.20.0", fits: false },
    ].slice(0, LONG ? 8 : 5),
  )("Node $name fits: $fits", ({ version, fits }) => {
    const root = checkout();
    const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
    const { args, options } = command(root);
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, ...args],
      { ...options, encoding: "utf8" },
    );
    expect(status).toBe(fits ? 0 : 1);
    if (!fits)
      expect(stderr).toMatch(
        new RegExp(`^koryph needs Node [^\\n]*, and this is ${version}: install another Node\\.\\n$`),
      );
  });

  test.each(["git", "ssh-keygen", "npm"])("a missing %s is named with what to install", (tool) => {
    const root = checkout();
    rmSync(join(root, "bin/npm"));
    for (const each of ["git", "ssh-keygen"])
      if (each !== tool) symlinkSync("/bin/true", join(root, "bin", each));
    const { code, stderr } = prepare(root, { PATH: join(root, "bin") });
    expect(stderr.trim().split("\n").at(-1)).toMatch(
      new RegExp(`^koryph needs ${tool}, which is not on the PATH: install .+\\.$`),
    );
    expect(code).toBe(1);
  });

  test("a failing npm is named with its exit code", () => {
    const root = checkout();
    writeFileSync(join(root, "fail-npm"), "");
    const { code, stderr } = prepare(root);
    expect(stderr).toContain("koryph could not install its dependencies: npm ci ended with 7, see above.");
    expect(code).toBe(1);
  });

  test("a stale checkout that may not be written", () => {
    const root = checkout();
    prepare(root);
    writeFileSync(join(root, "src/a.js"), "second");
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    chmodSync(root, 0o555);
    const { args, options } = command(root);
    const { status, stderr } = spawnSync(process.execPath, args, { ...options, ...nobody, encoding: "utf8" });
    chmodSync(root, 0o755);
    expect(stderr).toMatch(
      /^koryph has to be built, and \S+ cannot be written \(EACCES[^\n]*\): run `npm run build`[^\n]*\n$/,
    );
    expect({ status, built: built(root) }).toEqual({ status: 1, built: "first" });
  });

  longTest("a last build that cannot be moved away", () => {
    const root = checkout();
    prepare(root);
    writeFileSync(join(root, "src/a.js"), "second");
    // A file system is in the way of a rename onto a folder that is not empty.
    const compiler = readFileSync(join(root, "node_modules/typescript/bin/tsc"), "utf8");
    const trap = `\nfs.mkdirSync(out + ".old/dist/full", { recursive: true });\n`;
    writeFileSync(join(root, "node_modules/typescript/bin/tsc"), compiler + trap);
    const { code, stderr } = prepare(root);
    expect(stderr).toMatch(/\nkoryph could not be prepared in [^\n]*: ENOTEMPTY[^\n]*\n$/);
    expect({ code, built: built(root), left: leftovers(root) }).toEqual({
      code: 1,
      built: "first",
      left: [],
    });
  });

  test("in a workflow it is an annotation", () => {
    const root = checkout();
    renameSync(join(root, "bin/npm"), join(root, "bin/npn"));
    for (const each of ["git", "ssh-keygen"]) symlinkSync("/bin/true", join(root, "bin", each));
    const { code, stdout } = prepare(root, { PATH: join(root, "bin"), GITHUB_ACTIONS: "true" });
    expect(annotationsIn(stdout)).toEqual([
      {
        level: "error",
        title: "koryph",
        message: "koryph needs npm, which is not on the PATH: install npm, which comes with Node.",
      },
    ]);
    expect(code).toBe(1);
  });
});
