import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { buildProgram } from "../../src/cli/program.js";
import { EXIT_CODE_MEANINGS } from "../../src/cli/text/exit-codes.js";
import type { Terminal } from "../../src/cli/text/terminal.js";
import { DENIAL_REACH } from "../../src/core/govern/admission-denial.js";
import { PROTECTED_PATHS } from "../../src/core/land/protected-paths.js";
import { REFUSALS } from "../../src/core/land/refusal.js";
import { dispatchRefusalText } from "../../src/core/replies/schedule/schedule.js";
import { retryRule } from "../../src/core/route/retry-rule.js";
import { estimateCostUsd } from "../../src/core/run/plan/estimate-cost.js";
import type { DispatchRefusal, DispatchRefusalCode } from "../../src/core/schedule/dispatch-refusal.js";
import { koryph } from "../support/cli/koryph.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("README", () => {
  test("opens with the two commands, which exist", () => {
    const [first] = /```sh\n([\s\S]*?)```/.exec(read("README.md"))?.slice(1) ?? [];
    const commands = first
      ?.trim()
      .split("\n")
      .map((line) => line.split("#")[0]?.trim());
    expect(commands).toEqual(["npm test", "npm run demo"]);
    expect(Object.keys(JSON.parse(read("package.json")).scripts)).toEqual(
      expect.arrayContaining(["test", "demo"]),
    );
  });

  test("and .ci/run agree on the test command, which comes last", () => {
    expect(read(".ci/run").trim().split("\n").at(-1)).toBe("npm test");
  });

  test("shows commands and flags that there are", async () => {
    const nothing = () => {};
    const paint = new Proxy({} as Terminal["paint"], { get: () => String });
    const terminal = { out: nothing, err: nothing, paint } as Terminal;
    const { program, loadAll } = buildProgram(terminal, nothing);
    await loadAll();
    const blocks = [...read("README.md").matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((match) => match[1]);
    const lines = blocks.flatMap((block) => block?.match(/^koryph .*$/gm) ?? []);
    expect(lines.length).toBeGreaterThan(6);
    const unknown = lines.filter((line) => {
      const words = line.replace(/#.*/, "").trim().split(/ +/).slice(1);
      const command = words.reduce<Command>(
        (at, word) => at.commands.find((each) => each.name() === word) ?? at,
        program,
      );
      const flags = words.filter((word) => word.startsWith("--"));
      return command === program || flags.some((flag) => !command.options.some(({ long }) => long === flag));
    });
    expect(unknown).toEqual([]);
  });

  test("lists the exit codes that --help lists", () => {
    const rows = EXIT_CODE_MEANINGS.map(([code, meaning]) => `| ${code} | ${meaning} |`);
    expect(read("README.md")).toContain(rows.join("\n"));
    const help = koryph(ROOT, "--help").stdout;
    for (const [code, meaning] of EXIT_CODE_MEANINGS) expect(help).toContain(`${code}  ${meaning}`);
  });

  test("names every command that --help names", () => {
    const help = koryph(ROOT, "--help").stdout;
    const commands = [
      ...(/Commands:\n([\s\S]*?)\n\n/.exec(help)?.[1] ?? "").matchAll(/^ {2}([a-z-]+)/gm),
    ].map((match) => match[1]);
    const missing = commands.filter(
      (name) => name !== "help" && !read("README.md").includes(`\`koryph ${name}`),
    );
    expect(commands.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });
});

describe("docs/architecture.md", () => {
  test("has a row for every folder of src that holds code, and no other", () => {
    const rows = [...read("docs/architecture.md").matchAll(/^\| `(src\/[\w/-]+)` \|/gm)].map(
      ([, folder]) => folder,
    );
    const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
    const folders = files.filter((file) => file.endsWith(".ts")).map((file) => dirname(join("src", file)));
    expect(rows.toSorted()).toEqual([...new Set(folders)].toSorted());
  });

  test("names only files that exist", () => {
    const named = [
      ...read("docs/architecture.md").matchAll(/(?<![\w/])(?:src\/)?((?:[a-z-]+\/)+[a-z-]+\.ts)\b/g),
    ];
    const missing = named
      .map(([, file]) => file ?? "")
      .filter((file) => !existsSync(join(ROOT, "src", file)));
    expect(named.length).toBeGreaterThan(20);
    expect(missing.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

test("no folder of src or test holds more than 25 files", () => {
  const count = new Map<string, number>();
  for (const top of ["src", "test"])
    for (const file of readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" }))
      if (file.endsWith(".ts")) {
        const folder = dirname(join(top, file));
        count.set(folder, (count.get(folder) ?? 0) + 1);
      }
  expect([...count].filter(([, files]) => files > 25)).toEqual([]);
});

test("docs/configuration.md names every built-in protected path", () => {
  expect(PROTECTED_PATHS.filter((path) => !read("docs/configuration.md").includes(path))).toEqual([]);
});

describe("docs/landing.md", () => {
  const [, follows = ""] = read("docs/landing.md").split("## What follows from a refusal");
  const TIMES = ["never", "once", "twice"];

  /** The second cell of the row whose first one names the word. */
  function told(word: string): string {
    const rows = [...follows.matchAll(/^\| (`[^|]*) \| (.*) \|$/gm)];
    return rows.find(([, names = ""]) => names.split(", ").includes(`\`${word}\``))?.[2] ?? "";
  }

  test.each(Object.entries(REFUSALS))("tells what follows from %s", (kind, { result, mend }) => {
    expect(told(result === "error" ? kind : result)).not.toBe("");
    if (result === "error") return;
    expect(told(result)).toContain(mend.by === "agent" ? `, ${TIMES[mend.most]};` : "a person has to look");
    if (mend.by === "agent") expect(told(result)).toContain(`\`${mend.after}\``);
  });

  test("names no code that is none", () => {
    const [, codes = ""] = follows.split("| code of an `error` |");
    const named = [...(codes.split("\n\n")[0] ?? "").matchAll(/^\| `([a-z_]+)`/gm)].map(([, code]) => code);
    const errors = Object.entries(REFUSALS).filter(([, { result }]) => result === "error");
    expect(named.sort()).toEqual(errors.map(([kind]) => kind).sort());
  });
});

test("docs/json.md describes every reason a bead is not dispatched for", () => {
  const page = read("docs/json.md");
  const refusals: { readonly [C in DispatchRefusalCode]: DispatchRefusal & { readonly code: C } } = {
    issue_type: { code: "issue_type", type: "<type>" },
    gate_label: { code: "gate_label", label: "<label>" },
    not_released: { code: "not_released", why: { code: "no_release_label", label: "<label>" } },
    no_dispatch: { code: "no_dispatch" },
    held: { code: "held", actor: "<who>", reason: "<why>" },
    refactor_core: { code: "refactor_core" },
    already_active: { code: "already_active" },
    container: { code: "container" },
    wave_full: { code: "wave_full" },
    resource_at_capacity: { code: "resource_at_capacity", resource: "<kind>", by: "<id>" },
    conflict_in_flight: { code: "conflict_in_flight", by: "<id>" },
    conflict: { code: "conflict", by: "<id>" },
    reserved: { code: "reserved", by: "<id>" },
    blocked: { code: "blocked", bead: "<id>" },
    not_admitted: {
      code: "not_admitted",
      why: {
        code: "resource_at_capacity",
        resource: "<kind>",
        by: { project: "<project>", bead: "<id>", attempt: 1 },
      },
    },
    merge_pending: { code: "merge_pending" },
    merged: { code: "merged" },
    beyond_budget: { code: "beyond_budget", estimateUsd: 2, leftUsd: 1 },
    behind_budget: { code: "behind_budget", by: "<id>" },
    quota_reached: {
      code: "quota_reached",
      ...{ pool: "", window: "weekly", fraction: 0.92, level: "drain" },
    },
    quota_unmeasured: { code: "quota_unmeasured", pool: "", window: "fiveHour" },
    quota_narrowed: {
      code: "quota_narrowed",
      ...{ pool: "", window: "weekly", fraction: 0.85, width: 2 },
    },
    quota_exceeded: {
      code: "quota_exceeded",
      ...{ pool: "", estimateUsd: 3, spentUsd: 27, ceilingUsd: 31 },
    },
    policy_refused: { code: "policy_refused", policy: "<policy>", rationale: "<why>" },
    model_refused: { code: "model_refused", problem: "" },
    runtime_refused: { code: "runtime_refused", problem: "" },
    runtime_paused: {
      code: "runtime_paused",
      runtime: "<runtime>",
      model: null,
      kind: "auth",
      until: null,
      detail: "<what was said>",
      probing: false,
      passes: false,
    },
  };
  for (const refusal of Object.values(refusals)) {
    const reason = dispatchRefusalText(refusal).replace("$2.00", "<sum>").replace("$1.00", "<rest>");
    // What a model or a runtime is refused for is said in other words each time.
    expect(page).toContain(
      reason === "" ? `| \`${refusal.code}\` |` : `| \`${refusal.code}\` | \`${reason}\` |`,
    );
  }
});

test.each(["haiku", "sonnet", "opus", "fable", "any other"])(
  "docs/engine.md tells what an attempt on %s is estimated at",
  (model) => {
    const sums = [0, 400, 2_000].map((length) => {
      const usd = estimateCostUsd({ runtime: "claude", model, description: "x".repeat(length) });
      return `$${usd.toFixed(2)}`;
    });
    expect(read("docs/engine.md")).toContain(`| ${model} | ${sums.join(" | ")} |`);
  },
);

test.each([0, 1, 2, 3])(
  "docs/configuration.md tells at which death a bead of tier %i is given up",
  (tier) => {
    const [, tiers = ""] = read("docs/configuration.md").split("\n## Risk tiers\n");
    const [, row = ""] = new RegExp(`^\\| \`rt:${tier}\`(.*)$`, "m").exec(tiers) ?? [];
    expect(row).toMatch(new RegExp(`\\| the ${retryRule(tier).mostDeaths}(st|nd|rd|th)\\b`));
  },
);

test("docs/governors.md tells why an agent waits, and who waits with it, in the order of the checks", () => {
  const [, section = ""] = read("docs/governors.md").split("\n### Why an agent waits\n");
  const rows = [...(section.split("\n#")[0] ?? "").matchAll(/^\| `([a-z_]+)` \| .* \| (.*) \|$/gm)];
  expect(rows.map(([, code]) => code)).toEqual(Object.keys(DENIAL_REACH));
  const who = {
    bead: "the bead",
    project: "the project's beads of the account",
    pool: "all beads of the account",
    machine: "everybody on the machine",
  };
  expect(rows.map(([, , waits]) => waits)).toEqual(Object.values(DENIAL_REACH).map((reach) => who[reach]));
});

test("docs/json.md describes every kind of warning", () => {
  const source = read("src/core/schedule/audit-warnings.ts");
  const kinds = [...source.matchAll(/readonly kind: "([a-z-]+)"/g)].map((match) => match[1]);
  expect(kinds.length).toBeGreaterThan(8);
  expect(kinds.filter((kind) => !read("docs/json.md").includes(`\`${kind}\``))).toEqual([]);
});

test("the example in README runs and prints what it says", () => {
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const said = [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map((match) => match[1]);
  expect(stderr).toBe("");
  expect(said.length).toBeGreaterThan(0);
  expect(stdout.trim().split("\n")).toEqual(said);
});

const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

test("links between pages lead somewhere, and to a heading that is there", () => {
  const broken = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
      .filter(([, path = "", anchor]) => {
        const target = path === "" ? page : join(dirname(page), path);
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
      })
      .map(([link]) => `${page} → ${link}`),
  );
  expect(broken).toEqual([]);
});

/** As GitHub makes them of headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("npm scripts that pages name are there", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const named = PAGES.flatMap((page) =>
    [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name),
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("the pictures of README and docs are small and say nothing of the machine they were made on", () => {
  const pages = ["README.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)];
  const shown = pages
    .filter((page) => page.endsWith(".md"))
    .flatMap((page) => [...read(page).matchAll(/!\[[^\]]*\]\((?:docs\/)?(images\/[^)]+)\)/g)])
    .map(([, path]) => path);
  const images = readdirSync(join(ROOT, "docs", "images")).map((name) => `images/${name}`);
  expect(shown.toSorted()).toEqual(images.toSorted());
  for (const image of images) {
    const bytes = readFileSync(join(ROOT, "docs", image));
    expect(bytes.length, image).toBeLessThan(150_000);
    expect(bytes.toString("latin1"), image).not.toMatch(/\/(tmp|home|root|Users|dev|work)\//);
  }
});
