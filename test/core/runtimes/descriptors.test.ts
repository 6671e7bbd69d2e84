import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { engineSatisfies } from "../../../src/core/config/engine-version.js";
import { ProjectConfig } from "../../../src/core/config/project-schema.js";
import { isProtected, LIFTABLE_PATHS, PROTECTED_PATHS } from "../../../src/core/land/protected-paths.js";
import { isAgentSetting } from "../../../src/core/review/pull/agent-settings.js";
import { BUILT_IN_RUNTIMES, modelMisfit } from "../../../src/core/route/resolve-runtime.js";
import { agentCommand, credentialsFor } from "../../../src/core/runtimes/agent-command.js";
import { agentEnvironment } from "../../../src/core/runtimes/agent-environment.js";
import type { LaunchSpec } from "../../../src/core/runtimes/launch-spec.js";
import { AGENT_NOTES, builtInRuntime, RUNTIMES } from "../../../src/core/runtimes/runtimes.js";
import { versionIn } from "../../../src/core/runtimes/version-in.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SRC = join(ROOT, "src");
const page = readFileSync(join(ROOT, "docs/runtimes.md"), "utf8");
const names = RUNTIMES.map(({ name }) => name);

const spec: LaunchSpec = {
  role: "worker",
  cwd: "/run/work",
  agentFolder: "/run/agent",
  home: "/run/home",
  model: "m",
  session: { mode: "new", id: "11111111-1111-4111-8111-111111111111" },
  costBaselineUsd: 0,
};
const specs: readonly LaunchSpec[] = [
  spec,
  { ...spec, role: "reviewer", outputSchema: { type: "object" } },
  { ...spec, session: { mode: "resume", id: "a" } },
  { ...spec, session: { mode: "fork", id: "b", parent: "a" } },
];

/** Every variable of the operator's that some runtime asks for, each with a value of its own. */
const secrets = [
  ...new Set(RUNTIMES.flatMap(({ credentials, passedOn }) => [...credentials.anyOf, ...passedOn])),
];
const parent = Object.fromEntries([...secrets.map((name) => [name, secretOf(name)]), ["PATH", "/bin"]]);
const secretsIn = (value: unknown) =>
  secrets.filter((name) => JSON.stringify(value).includes(secretOf(name))).sort();

function secretOf(name: string): string {
  return `<value of ${name}>`;
}

test("every folder but that of projects' own programs is a runtime in the table, and none is there twice", () => {
  const folders = readdirSync(join(SRC, "core/runtimes"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "command")
    .map(({ name }) => name);
  expect([...names].sort()).toEqual(folders.sort());
});

test("nothing but the table reaches into a runtime's folder or says its name, except for the default", () => {
  const knowing = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => {
    if (!file.endsWith(".ts") || file === "core/runtimes/runtimes.ts") return false;
    const text = readFileSync(join(SRC, file), "utf8").replace('runtimeName.default("claude")', "");
    return names
      .filter((name) => !file.startsWith(`core/runtimes/${name}/`))
      .some((name) => new RegExp(`"${name}"|from "\\.[^"]*/${name}/`).test(text));
  });
  expect(knowing).toEqual([]);
});

test("what the repository says to agents is AGENTS.md, then what each runtime names, each once", () => {
  expect(AGENT_NOTES.slice(0, 2)).toEqual(["AGENTS.md", "CLAUDE.md"]);
  expect(new Set(AGENT_NOTES).size).toBe(AGENT_NOTES.length);
});

test("neither the gate nor a program of the project's own gets anybody's credentials", () => {
  expect(secretsIn(agentEnvironment({ parent, home: "/h", agentFolder: "/a" }))).toEqual([]);
});

describe.each(RUNTIMES)("$name", (runtime) => {
  const { name, version, credentials, models } = runtime;
  const command = (given: LaunchSpec) =>
    agentCommand(runtime, { ...given, model: models.example }, { program: ["/bin/it", "first"], parent });

  test("is found by its name, which a project file can say", () => {
    expect(builtInRuntime(name)).toBe(runtime);
    expect(BUILT_IN_RUNTIMES.filter((known) => known === name)).toEqual([name]);
    expect(ProjectConfig.shape.default_runtime.safeParse(name).success).toBe(true);
    expect(existsSync(join(SRC, "core/runtimes", name, `${name}.ts`))).toBe(true);
  });

  test("has a row and a chapter in docs/runtimes.md, with what it is installed from and asks for", () => {
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| .*version ${version.oldest} or newer \\|$`, "m"));
    const [, chapter = ""] = page.split(`\n## ${name}\n`);
    const told = chapter.split("\n## ")[0] ?? "";
    const asked = [runtime.package, ...credentials.anyOf, ...runtime.passedOn];
    expect(asked.filter((word) => !told.includes(word))).toEqual([]);
  });

  test("has an oldest version that can be read and compared", () => {
    expect(versionIn(`${name} ${version.oldest} (build 7)`)).toBe(version.oldest);
    expect(engineSatisfies(version.oldest, version.oldest)).toBe(true);
  });

  test("is stopped for good in the end", () => {
    expect(runtime.stopSignals.at(-1)).toBe("SIGKILL");
  });

  test("takes nothing from a pull request that would steer it: a reviewer reads its paths as the base has them", () => {
    const inside = runtime.protectedPaths.map((path) => (path.endsWith("/") ? `${path}x` : path));
    expect(inside.filter((path) => !isAgentSetting(path) || !isAgentSetting(`deep/${path}`))).toEqual([]);
  });

  test("cannot be steered by a branch: its paths are protected, and nobody can lift that", () => {
    expect(runtime.protectedPaths.length).toBeGreaterThan(0);
    expect(PROTECTED_PATHS).toEqual(expect.arrayContaining([...runtime.protectedPaths]));
    expect(runtime.protectedPaths.filter((path) => !isProtected(path, [], LIFTABLE_PATHS))).toEqual([]);
    expect(runtime.notes.filter((path) => !runtime.protectedPaths.includes(path))).toEqual([]);
  });

  test.each(specs)("a $role with a $session.mode session gets its own credentials alone", (given) => {
    const own = [...credentialsFor(runtime, models.example), ...runtime.passedOn].sort();
    const { argv, env, files = {} } = command(given);
    expect(secretsIn(env)).toEqual(own);
    expect(secretsIn([argv, files])).toEqual([]);
  });

  test("is told how much to think only where it can be told, and the model is the one that was chosen", () => {
    const told: Readonly<Record<string, readonly string[]>> = {
      claude: ["--effort", "high"],
      codex: ["-c", 'model_reasoning_effort="high"'],
    };
    const [given] = specs;
    if (given === undefined) throw new Error("no spec to try");
    const plain = command(given).argv;
    const added = command({ ...given, effort: "high" }).argv.filter((word) => !plain.includes(word));
    expect(added).toEqual((told[name] ?? []).filter((word) => word !== "-c"));
  });

  test("asks a model for no credentials that it does not name", () => {
    const asked = credentialsFor(runtime, models.example);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((variable) => !credentials.anyOf.includes(variable))).toEqual([]);
  });

  test.each(specs)("a $role with a $session.mode session is started as it is contained", (given) => {
    const { argv, env, files = {} } = command(given);
    expect(argv.join(" ")).toContain("/bin/it first ");
    expect(argv).toContain(models.example);
    expect(env).toMatchObject({ HOME: "/run/home", PATH: "/bin", GIT_SSH_COMMAND: "false" });
    expect(Object.keys(files).filter((path) => !path.startsWith("/run/home/"))).toEqual([]);
  });

  test("takes its own example for a model, and another's alias for none", () => {
    const fits = (model: string) => modelMisfit({ runtime: name, rationale: "default" }, model) === null;
    const others = RUNTIMES.filter((other) => other !== runtime).flatMap((other) => other.models.aliases);
    expect([models.example, ...models.aliases].filter((model) => !fits(model))).toEqual([]);
    expect(others.filter(fits)).toEqual([]);
  });

  test("is taken for itself where its program is no start script", () => {
    expect(runtime.programsBehind?.(`/usr/bin/${runtime.program}`, "linux-x64") ?? []).toEqual([]);
  });

  test("that printed nothing has not started", () => {
    const parser = runtime.parser(spec, { version: version.oldest, prices: {} });
    const end = { stopping: false, code: 1, ended: "by-itself", stderr: "no such model\n" } as const;
    expect(parser.end(end)).toMatchObject({ kind: "start-failed", detail: "no such model", session: null });
  });
});
