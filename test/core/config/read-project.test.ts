import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../../src/core/config/problems.js";
import type { ProjectConfig } from "../../../src/core/config/project-schema.js";
import { readProject } from "../../../src/core/config/read-project.js";
import { projectIdFrom, starterProject } from "../../../src/core/config/starter-project.js";

const least = { schema_version: 1, project_id: "demo", work_source: "file", gate: ["npm test"] };

function read(overrides: object) {
  return readProject(JSON.stringify({ ...least, ...overrides }));
}

function configured(overrides: object = {}): ProjectConfig {
  const reading = read(overrides);
  if (reading.kind !== "ok") throw new Error(JSON.stringify(reading));
  return reading.config;
}

function problems(overrides: object): readonly Problem[] {
  const reading = read(overrides);
  return reading.kind === "wrong" ? reading.problems : [];
}

test.each([
  { name: "at the top", text: '"merge_policy":"auto",\n"merge_policy":"pr"', key: "merge_policy" },
  {
    name: "in a runtime",
    text: '"runtimes":{"x":{"command":["a"],\n"command":["b"]}}',
    key: "runtimes.x.command",
  },
])("a key that is there twice $name is refused with its place", ({ text, key }) => {
  const reading = readProject(`${JSON.stringify(least).slice(0, -1)},${text}}`);
  expect(reading).toEqual({
    kind: "wrong",
    problems: [{ key, found: "the key a second time at line 2, column 1", need: "it once" }],
  });
});

describe("defaults", () => {
  const defaults: Omit<ProjectConfig, keyof typeof least | "$schema"> = {
    area_map: {},
    containment: { network: { agents: "provider", gates: "off", bootstrap: "on" }, readable: [] },
    resources: {},
    api_spend: {},
    bootstrap: [],
    model_map: { frontier: "opus", standard: "sonnet", light: "haiku" },
    allowed_models: ["haiku", "sonnet", "opus"],
    pipeline: [],
    protected_paths: [],
    engine_version: "",
    commit_style: "conventional",
    merge_policy: "manual",
    merge_method: "ff",
    risk_tier_default: 2,
    signing: { required: false },
    max_concurrent_slots: 4,
    dispatch_mode: "rolling",
    poll_seconds: 10,
    stuck_seconds: 900,
    gate_timeout_seconds: 3600,
    default_runtime: "claude",
    runtimes: {},
    review: { auto: false, pulls: "off", on_degraded: "proceed" },
    land: {
      approvals: "rules",
      requester_counts: false,
      gate: "run",
      undeclared: "flag",
      max_file_mb: 20,
      max_files: 3000,
    },
    quota: { warn: 0.8, drain: 0.9, stop: 0.95 },
    jobs: { kinds: ["review"], app: "koryph", minutes: 60 },
    commands: { bots: {} },
    ledger: { ref: "refs/koryph/ledger", remote: "origin" },
    release_label: "koryph:release",
  };

  test("four keys are enough, and nothing but the defaults is added", () => {
    expect(configured()).toEqual({ ...least, ...defaults });
  });

  test.each<{ name: string; given: object; expected: object }>([
    {
      name: "a resource has capacity 1",
      given: { resources: { gpu: {} } },
      expected: { resources: { gpu: { capacity: 1 } } },
    },
    {
      name: "a runtime is enabled and has no prices of its own",
      given: { runtimes: { codex: {} } },
      expected: { runtimes: { codex: { enabled: true, prices: {} } } },
    },
    {
      name: "a pipeline stage is not optional",
      given: { pipeline: [{ name: "lint", prompt: "tidy up" }] },
      expected: { pipeline: [{ name: "lint", prompt: "tidy up", optional: false }] },
    },
    {
      name: "a model map keeps the tiers it does not name",
      given: { model_map: { light: "sonnet" } },
      expected: { model_map: { frontier: "opus", standard: "sonnet", light: "sonnet" } },
    },
    {
      name: "a review block keeps what it does not name",
      given: { review: { auto: true } },
      expected: { review: { auto: true, pulls: "off", on_degraded: "proceed" } },
    },
    {
      name: "a land block keeps what it does not name",
      given: { land: { approvals: 2 } },
      expected: {
        land: {
          approvals: 2,
          requester_counts: false,
          gate: "run",
          undeclared: "flag",
          max_file_mb: 20,
          max_files: 3000,
        },
      },
    },
    {
      name: "a ledger block keeps what it does not name",
      given: { ledger: { remote: "upstream" } },
      expected: { ledger: { ref: "refs/koryph/ledger", remote: "upstream" } },
    },
    {
      name: "a signing block keeps what it does not name",
      given: { signing: { provider: "file", key_ref: "~/.ssh/key" } },
      expected: { signing: { required: false, provider: "file", key_ref: "~/.ssh/key" } },
    },
  ])("$name", ({ given, expected }) => expect(configured(given)).toMatchObject(expected));
});

test("every key can be set to something else than its default", () => {
  const full = {
    $schema: "https://example.invalid/schema.json",
    schema_version: 1,
    project_id: "shop.v2_x-1",
    work_source: "bd",
    area_map: { api: ["src/api", "schema"] },
    resources: { "test-db": { capacity: 2, mem_mb: 512 } },
    gate: ["make lint", "make test"],
    bootstrap: ["npm ci"],
    model_map: { frontier: "sonnet", standard: "haiku", light: "opus" },
    allowed_models: ["haiku", "fable"],
    pipeline: [
      { name: "docs", prompt: "update the docs", model: "haiku", timeout_seconds: 60, optional: true },
    ],
    protected_paths: ["infra/"],
    engine_version: ">=0.1.0",
    commit_style: "none",
    merge_policy: "pr",
    merge_method: "squash",
    risk_tier_default: 0,
    signing: { required: false, provider: "command", key_ref: "print-key" },
    max_concurrent_slots: 12,
    dispatch_mode: "wave",
    dispatch_stagger_seconds: 0,
    poll_seconds: 1,
    stuck_seconds: 60,
    gate_timeout_seconds: 600,
    default_runtime: "codex",
    runtimes: {
      codex: {
        enabled: false,
        command: ["codex", "exec"],
        prices: { "gpt-5": { input_usd: 1.5, output_usd: 0, cache_read_usd: 0.1, cache_write_usd: 2 } },
      },
    },
    review: { auto: true, pulls: "own", on_degraded: "block", timeout_seconds: 300 },
    land: {
      approvals: 0,
      requester_counts: true,
      gate: "checks",
      undeclared: "block",
      max_file_mb: 5,
      max_files: 10,
    },
    api_spend: { claude: { key: "SPEND_KEY" } },
    quota: { warn: 0.1, drain: 0.2, stop: 1, guard: "advisory" },
    jobs: { workflow: "jobs.yml", kinds: ["gate"], app: "our-koryph", minutes: 15 },
    commands: { bots: { "1234": ["status", "why"] } },
    ledger: { ref: "refs/heads/koryph-ledger", remote: "upstream" },
    release_label: "ready",
    containment: {
      level: "off",
      missing: "manual",
      network: {
        agents: ["*.example.com"],
        gates: "on",
        bootstrap: ["registry.npmjs.org", "localhost:8080"],
      },
      readable: ["~/.cargo/bin", "/opt/go"],
    },
  };
  expect(readProject(JSON.stringify(full))).toEqual({ kind: "ok", config: full });
});

test.each([
  ...["github", "bd", "file"].map((value) => ({ key: "work_source", value })),
  ...["manual", "auto", "pr"].map((value) => ({ key: "merge_policy", value })),
  ...["", "0.2+", ">=0.2.3", "v0.2"].map((value) => ({ key: "engine_version", value })),
  ...[0, 1, 2, 3].map((value) => ({ key: "risk_tier_default", value })),
])("$key may be '$value'", ({ key, value }) =>
  expect(configured({ [key]: value })).toMatchObject({ [key]: value }),
);

test.each(["required", "preferred", "off"])("containment '%s' is short for that level alone", (level) => {
  expect(configured({ containment: level })).toEqual(configured({ containment: { level } }));
  expect(configured({ containment: level })).toMatchObject({ containment: { level } });
});

const READABLE =
  "an absolute path, or one that begins with ~/, without .., and not /, /etc, /proc, /sys, /dev or /run";

describe("a mistake names the key, the value found and what would be right", () => {
  const names = "a name of lower-case letters, digits, dots, hyphens and underscores, 64 at most";
  const floor = "a version floor, such as 0.2+, >=0.2.3 or v0.2";
  test.each<{ given: object; key: string; found: string; need: string }>([
    { given: { schema_version: undefined }, key: "schema_version", found: "nothing", need: "1" },
    { given: { schema_version: "1" }, key: "schema_version", found: '"1"', need: "1" },
    { given: { schema_version: 0 }, key: "schema_version", found: "0", need: "1" },
    { given: { project_id: undefined }, key: "project_id", found: "nothing", need: names },
    { given: { project_id: "My Shop" }, key: "project_id", found: '"My Shop"', need: names },
    {
      given: { work_source: undefined },
      key: "work_source",
      found: "nothing",
      need: "one of github, bd, file",
    },
    { given: { work_source: "jira" }, key: "work_source", found: '"jira"', need: "one of github, bd, file" },
    { given: { gate: undefined }, key: "gate", found: "nothing", need: "a list of shell commands" },
    { given: { gate: "make" }, key: "gate", found: '"make"', need: "a list of shell commands" },
    { given: { gate: [] }, key: "gate", found: "[]", need: "at least one shell command" },
    { given: { gate: ["make", ""] }, key: "gate[1]", found: '""', need: "a shell command, not an empty one" },
    { given: { gate: [7] }, key: "gate[0]", found: "7", need: "a shell command, not an empty one" },
    { given: { bootstrap: {} }, key: "bootstrap", found: "{}", need: "a list of shell commands" },
    { given: { area_map: [] }, key: "area_map", found: "[]", need: "an object of area → list of tokens" },
    { given: { area_map: { api: "src" } }, key: "area_map.api", found: '"src"', need: "a list of tokens" },
    { given: { area_map: { api: [""] } }, key: "area_map.api[0]", found: '""', need: "a token" },
    { given: { resources: { gpu: 2 } }, key: "resources.gpu", found: "2", need: "an object {…}" },
    {
      given: { resources: { GPU: {} } },
      key: "resources.GPU",
      found: "{}",
      need: "a kind of lower-case letters, digits and hyphens",
    },
    {
      given: { resources: { gpu: { capacity: 0 } } },
      key: "resources.gpu.capacity",
      found: "0",
      need: "a whole number of at least 1",
    },
    {
      given: { model_map: { light: "" } },
      key: "model_map.light",
      found: '""',
      need: "a model name, such as sonnet",
    },
    {
      given: { quota: { warn: 0 } },
      key: "quota.warn",
      found: "0",
      need: "a number above 0 and at most 1",
    },
    {
      given: { quota: { warn: 0.92 } },
      key: "quota.warn",
      found: "0.92",
      need: "a number below quota.drain, which is 0.9",
    },
    {
      given: { quota: { drain: 0.7 } },
      key: "quota.drain",
      found: "0.7",
      need: "a number above quota.warn, which is 0.8",
    },
    {
      given: { quota: { warn: 0.2, drain: 0.4, stop: 0.3 } },
      key: "quota.stop",
      found: "0.3",
      need: "a number above quota.drain, which is 0.4",
    },
    {
      given: { quota: { guard: "maybe" } },
      key: "quota.guard",
      found: '"maybe"',
      need: "one of on, advisory, off",
    },
    { given: { allowed_models: [] }, key: "allowed_models", found: "[]", need: "at least one model name" },
    {
      given: { pipeline: [{ name: "review", prompt: "x" }] },
      key: "pipeline[0].name",
      found: '"review"',
      need: "a stage name other than implement and review",
    },
    {
      given: { pipeline: [{ name: "lint" }] },
      key: "pipeline[0].prompt",
      found: "nothing",
      need: "what the agent is asked to do",
    },
    { given: { protected_paths: "x" }, key: "protected_paths", found: '"x"', need: "a list of paths" },
    { given: { engine_version: "soon" }, key: "engine_version", found: '"soon"', need: floor },
    { given: { engine_version: 2 }, key: "engine_version", found: "2", need: floor },
    {
      given: { commit_style: "neat" },
      key: "commit_style",
      found: '"neat"',
      need: "one of conventional, none",
    },
    { given: { merge_policy: true }, key: "merge_policy", found: "true", need: "one of manual, auto, pr" },
    { given: { merge_method: "rebase" }, key: "merge_method", found: '"rebase"', need: "one of ff, squash" },
    {
      given: { risk_tier_default: 4 },
      key: "risk_tier_default",
      found: "4",
      need: "a whole number from 0 to 3",
    },
    { given: { signing: true }, key: "signing", found: "true", need: "an object {…}" },
    {
      given: { signing: { required: "yes" } },
      key: "signing.required",
      found: '"yes"',
      need: "true or false",
    },
    {
      given: { max_concurrent_slots: 0 },
      key: "max_concurrent_slots",
      found: "0",
      need: "a whole number of at least 1",
    },
    { given: { poll_seconds: 1.5 }, key: "poll_seconds", found: "1.5", need: "a whole number of at least 1" },
    {
      given: { gate_timeout_seconds: 0 },
      key: "gate_timeout_seconds",
      found: "0",
      need: "a whole number from 1 to 86400",
    },
    {
      given: { stuck_seconds: "900" },
      key: "stuck_seconds",
      found: '"900"',
      need: "a whole number of at least 1",
    },
    {
      given: { dispatch_stagger_seconds: -1 },
      key: "dispatch_stagger_seconds",
      found: "-1",
      need: "a whole number of at least 0",
    },
    { given: { dispatch_mode: null }, key: "dispatch_mode", found: "null", need: "one of rolling, wave" },
    {
      given: { runtimes: { Codex: {} } },
      key: "runtimes.Codex",
      found: "{}",
      need: "a runtime name of lower-case letters, digits and hyphens",
    },
    {
      given: { runtimes: { codex: { command: [] } } },
      key: "runtimes.codex.command",
      found: "[]",
      need: "a list of words, program first",
    },
    {
      given: { runtimes: { codex: { prices: { big: { input_usd: -1, output_usd: 0 } } } } },
      key: "runtimes.codex.prices.big.input_usd",
      found: "-1",
      need: "a number of at least 0",
    },
    {
      given: { review: { on_degraded: "ignore" } },
      key: "review.on_degraded",
      found: '"ignore"',
      need: "one of proceed, block",
    },
    {
      given: { land: { approvals: "two" } },
      key: "land.approvals",
      found: '"two"',
      need: '"rules" or a whole number of at least 0',
    },
    {
      given: { ledger: { ref: "main" } },
      key: "ledger.ref",
      found: '"main"',
      need: "a ref of its own below refs/koryph/ or refs/heads/, such as refs/koryph/ledger, and none that holds other things (main, master, agent, candidate, old, seen, slot, wip)",
    },
    { given: { release_label: 1 }, key: "release_label", found: "1", need: "a label" },
    {
      given: { containment: "yes" },
      key: "containment",
      found: '"yes"',
      need: "required, preferred, off, or an object of level, missing, network and readable",
    },
    {
      given: { containment: { network: { gates: ["a b"] } } },
      key: "containment.network.gates[0]",
      found: '"a b"',
      need: "a host, such as registry.npmjs.org, *.example.com or localhost:8080",
    },
    {
      given: { containment: { levle: "off" } },
      key: "containment.levle",
      found: '"off" under an unknown key',
      need: "the key level (did you mean that?)",
    },
    {
      given: { containment: { readable: ["src"] } },
      key: "containment.readable[0]",
      found: '"src"',
      need: READABLE,
    },
    ...["/", "/etc", "/proc/1", "/opt/../root", "~/.."].map((path) => ({
      given: { containment: { readable: [path] } },
      key: "containment.readable[0]",
      found: JSON.stringify(path),
      need: READABLE,
    })),
  ])("$given", ({ given, key, found, need }) => expect(problems(given)).toEqual([{ key, found, need }]));

  test("a long value is cut", () => {
    expect(problems({ commit_style: "x".repeat(500) })[0]?.found.length).toBeLessThanOrEqual(80);
  });
});

test("five mistakes report five problems", () => {
  const given = {
    project_id: "Not Good",
    gate: [],
    merge_policy: "yolo",
    poll_second: 5,
    resources: { gpu: { capacity: "two" } },
  };
  expect(problems(given).map(({ key }) => key)).toEqual([
    "project_id",
    "resources.gpu.capacity",
    "gate",
    "merge_policy",
    "poll_second",
  ]);
});

describe("unknown keys", () => {
  test.each<{ given: object; key: string; found: string; meant: string }>([
    { given: { gates: [] }, key: "gates", found: "[] under an unknown key", meant: "gate" },
    { given: { Gate: 1 }, key: "Gate", found: "1 under an unknown key", meant: "gate" },
    { given: { areaMap: {} }, key: "areaMap", found: "{} under an unknown key", meant: "area_map" },
    {
      given: { merge_polcy: "pr" },
      key: "merge_polcy",
      found: '"pr" under an unknown key',
      meant: "merge_policy",
    },
    {
      given: { land: { aprovals: 1 } },
      key: "land.aprovals",
      found: "1 under an unknown key",
      meant: "approvals",
    },
    {
      given: { model_map: { standart: "opus" } },
      key: "model_map.standart",
      found: '"opus" under an unknown key',
      meant: "standard",
    },
    {
      given: { pipeline: [{ name: "lint", prompt: "x", modle: "opus" }] },
      key: "pipeline[0].modle",
      found: '"opus" under an unknown key',
      meant: "model",
    },
    {
      given: { resources: { gpu: { capcity: 2 } } },
      key: "resources.gpu.capcity",
      found: "2 under an unknown key",
      meant: "capacity",
    },
    {
      given: { runtimes: { codex: { enabeld: true } } },
      key: "runtimes.codex.enabeld",
      found: "true under an unknown key",
      meant: "enabled",
    },
    {
      given: { runtimes: { codex: { prices: { big: { input_usd: 1, output_usd: 1, cache_reed_usd: 1 } } } } },
      key: "runtimes.codex.prices.big.cache_reed_usd",
      found: "1 under an unknown key",
      meant: "cache_read_usd",
    },
  ])("$key is taken for a slip of $meant", ({ given, key, found, meant }) => {
    expect(problems(given)).toEqual([{ key, found, need: `the key ${meant} (did you mean that?)` }]);
  });

  test("a key like no other is answered with the keys there are", () => {
    expect(problems({ land: { frobnicate: 1 } })).toEqual([
      {
        key: "land.frobnicate",
        found: "1 under an unknown key",
        need: "one of the keys approvals, requester_counts, gate, undeclared, max_file_mb, max_files",
      },
    ]);
  });

  test("each unknown key is a problem of its own", () => {
    expect(problems({ gates: 1, lands: 2 }).map(({ key }) => key)).toEqual(["gates", "lands"]);
  });
});

describe("a newer schema_version", () => {
  test("is told apart from a mistake, whatever else the file holds", () => {
    expect(read({ schema_version: 2, gate: "changed shape", brand_new: true })).toEqual({
      kind: "newer",
      version: 2,
    });
  });

  test("that is no whole number is a mistake", () => {
    expect(problems({ schema_version: 1.5 })).toEqual([{ key: "schema_version", found: "1.5", need: "1" }]);
  });
});

describe("rules across keys", () => {
  test("squashing is refused where signatures are required", () => {
    expect(problems({ merge_method: "squash", signing: { required: true } })).toEqual([
      {
        key: "merge_method",
        found: '"squash"',
        need: "ff, because signing.required is true and squashing drops the signed commits",
      },
    ]);
  });

  test("that is reported beside mistakes elsewhere", () => {
    const given = { merge_method: "squash", signing: { required: true }, poll_seconds: 0 };
    expect(problems(given).map(({ key }) => key)).toEqual(["poll_seconds", "merge_method"]);
  });

  test.each([
    { name: "squashing is fine without required signatures", given: { merge_method: "squash" } },
    { name: "fast-forward is fine with required signatures", given: { signing: { required: true } } },
  ])("$name", ({ given }) => expect(problems(given)).toEqual([]));

  test("a signing provider needs its key", () => {
    expect(problems({ signing: { provider: "file" } })).toEqual([
      { key: "signing.key_ref", found: "nothing", need: "a key, because signing.provider is set" },
    ]);
  });

  test("two stages of one name are refused", () => {
    const stage = { name: "lint", prompt: "x" };
    expect(problems({ pipeline: [stage, stage] })).toMatchObject([
      { key: "pipeline[1].name", need: "a name no other stage has" },
    ]);
  });
});

test.each([
  { text: "null", found: "null" },
  { text: "[]", found: "[]" },
  { text: "3", found: "3" },
])("$text is JSON and no project file", ({ text, found }) => {
  expect(readProject(text)).toEqual({
    kind: "wrong",
    problems: [{ key: "the file", found, need: "an object {…}" }],
  });
});

test.each([
  { name: "an empty file", text: "", problem: "there is nothing in it" },
  {
    name: "a file that is no JSON",
    text: '{\n  "gate": [,]\n}',
    problem: "Unexpected token ',' at line 2, column 12",
  },
])("$name is unreadable, which is not wrong", ({ text, problem }) => {
  expect(readProject(text)).toEqual({ kind: "unreadable", problem });
});

test("the starter file is a project file, whatever the folder is called", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (folder) => {
      expect(readProject(starterProject(projectIdFrom(folder), ["npm test"]))).toMatchObject({ kind: "ok" });
    }),
  );
});

test.each([
  { folder: "My Shop", expected: "my-shop" },
  { folder: "..hidden", expected: "hidden" },
  { folder: "日本", expected: "project" },
])("the folder $folder suggests the id $expected", ({ folder, expected }) =>
  expect(projectIdFrom(folder)).toBe(expected),
);

describe("everything at once", () => {
  test.each([
    { name: "an empty name is one problem, not two", config: { project_id: "" }, keys: ["project_id"] },
    {
      name: "a missing key is named beside a wrong type",
      config: { signing: { provider: "file", required: "yes" } },
      keys: ["signing.required", "signing.key_ref"],
    },
    {
      name: "a doubled stage is named beside a wrong prompt",
      config: {
        pipeline: [
          { name: "lint", prompt: 3 },
          { name: "lint", prompt: "x" },
        ],
      },
      keys: ["pipeline[0].prompt", "pipeline[1].name"],
    },
    ...[
      "refs/heads/main",
      "refs/heads/master",
      "refs/heads/agent/b-1",
      "refs/heads/agent",
      "refs/tags/v1",
    ].map((ref) => ({
      name: `the ref ${ref}, which is not the ledger's`,
      config: { ledger: { ref } },
      keys: ["ledger.ref"],
    })),
    ...["candidate", "job/j", "old/b-1", "seen", "slot/r/b", "wip/b-1"].map((family) => ({
      name: `koryph's own ref ${family}`,
      config: { ledger: { ref: `refs/koryph/${family}` } },
      keys: ["ledger.ref"],
    })),
    { name: "a ref that git would refuse", config: { ledger: { ref: "refs/a..b" } }, keys: ["ledger.ref"] },
    { name: "a ref that ends in a slash", config: { ledger: { ref: "refs/koryph/" } }, keys: ["ledger.ref"] },
  ])("$name", ({ config, keys }) => expect(problems(config).map(({ key }) => key)).toEqual(keys));

  test("a negative number of approvals is told what would be right", () => {
    expect(problems({ land: { approvals: -1 } })).toMatchObject([
      { need: '"rules" or a whole number of at least 0' },
    ]);
  });

  test("a key that drives a terminal is shown, not obeyed", () => {
    expect(problems({ "\u001b[31mbad\nx": 1 })).toMatchObject([{ key: "\ufffd[31mbad x" }]);
  });
});

test.each([
  ".",
  "/",
  "./",
  "../x",
  "src/../..",
  "infra/*",
  "**/*.yml",
  "x?.md",
  "infra\\prod",
  "...",
  "\u200b",
])("the protected path %j would protect nothing, and is refused", (path) => {
  expect(problems({ protected_paths: ["ok/", path] })).toEqual([
    {
      key: "protected_paths[1]",
      found: expect.any(String),
      need: "a path inside the repository with forward slashes and without * or ?, such as deploy/",
    },
  ]);
});

test.each(["infra", "/infra/", "./infra/prod.yml", "app/[slug]/page.tsx", "src/../infra"])(
  "the protected path %j is taken",
  (path) => expect(problems({ protected_paths: [path] })).toEqual([]),
);

test("a value nested two hundred thousand deep is shown by its beginning", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const reading = readProject(
    `{"schema_version":1,"project_id":"demo","work_source":"file","gate":[${deep}]}`,
  );
  expect(reading).toMatchObject({
    kind: "wrong",
    problems: [{ key: "gate[0]", found: `${"[".repeat(79)}…` }],
  });
});

test("a stage's name that drives a terminal is shown, not obeyed, wherever it is found wrong", () => {
  const stage = { name: "a\u001b[31m", prompt: "p" };
  const found = problems({ pipeline: [stage, stage] }).map((problem) => problem.found);
  expect(found.length).toBe(3);
  expect(found.join("")).not.toContain("\u001b");
});
