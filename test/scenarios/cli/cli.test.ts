import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RUNTIMES } from "../../../src/core/runtimes/runtimes.js";
import { baseProject, git, project } from "../../support/cli/project.js";
import { koryph, koryphWith } from "../../support/cli/standing-koryph.js";
import { pathWithoutBubblewrap } from "../../support/contained.js";
import { tempFolder } from "../../support/temp-folder.js";

const beads = [
  { id: "s-1", title: "Epic", issue_type: "epic", labels: ["merge:auto"] },
  { id: "s-2", title: "Endpoint", priority: 1, labels: ["area:api"], parent: "s-1" },
  { id: "s-3", title: "Other endpoint", priority: 2, labels: ["fp:src/api"] },
  { id: "s-4", title: "Handbook", priority: 2, labels: ["area:docs", "model:haiku"] },
  {
    id: "s-5",
    title: "Later",
    labels: ["fp:late"],
    dependencies: [{ depends_on_id: "s-2", type: "blocks" }],
  },
];

describe("run --dry-run", () => {
  test("names what it would dispatch with footprint, model and why, and every deferral with its reason", async () => {
    const { code, stdout, stderr } = await koryph(project({ beads }), "run", "--dry-run");

    expect(stdout.slice(stdout.indexOf("Dry run of"))).toMatchInlineSnapshot(`
      "Dry run of shop: 4 ready, width 4; nothing is started

      WOULD DISPATCH (2)
        s-2  P1  Endpoint
          footprint  writes src/api
          runtime    claude, project default_runtime
          model      sonnet, stage default (implement)
          landing    auto, epic label merge:auto
          limits     risk tier 2, 1200 s (default)
        s-4  P2  Handbook
          footprint  writes docs
          runtime    claude, project default_runtime
          model      haiku, label model:haiku
          landing    manual, project merge_policy
          limits     risk tier 2, 1200 s (default)

      DEFERRED (1)
        s-3  P2  Other endpoint  footprint conflict with s-2

      SKIPPED (1)
        s-1  P2  Epic  non-dispatch issue_type epic

      the gate has not been tried on this default branch yet: koryph run tries it before the first agent
      "
    `);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("says first what a run would refuse at once: a program that is missing, then a branch without a commit", async () => {
    const mine = (command: string) => ({
      default_runtime: "mine",
      runtimes: { mine: { command: [command] } },
    });
    const root = project({ beads, config: mine("./no-such-agent") });
    const dryRun = async () => (await koryph(root, "run", "--dry-run")).stdout;
    expect(await dryRun()).toMatch(
      /^koryph run would not start now: .*no-such-agent.*\n {2}next: .*\n {2}after that it would do what follows\n\nDry run of shop/,
    );
    writeFileSync(join(root, "koryph.project.json"), JSON.stringify({ ...baseProject, ...mine("true") }));
    expect(await dryRun()).toMatch(/^koryph run would not start now: .* has no commit on its default branch/);
    git(root, "commit", "--quiet", "--allow-empty", "--message", "feat: one");
    expect(await dryRun()).toMatch(/^Dry run of shop/);
  });

  test("a bead whose label asks for a program that is missing is deferred, as a run would", async () => {
    const [bead] = [{ id: "x-1", title: "Odd", labels: ["fp:x", "runtime:gone"] }];
    const config = { runtimes: { gone: { command: ["./no-such-agent"] } } };
    const { stdout } = await koryph(project({ beads: [bead], config }), "run", "--dry-run");
    expect(stdout).toMatch(/WOULD DISPATCH \(0\)[\s\S]*x-1 .*no-such-agent/);
  });

  test("--budget shows what each bead may cost; what it cannot pay, and what comes after that, waits", async () => {
    const root = project({ beads: [...beads, { id: "s-6", title: "Last", labels: ["fp:z"], priority: 3 }] });
    const dryRun = async (budget: string, ...more: string[]) =>
      (await koryph(root, "run", "--dry-run", "--budget", budget, ...more)).stdout;
    const estimates = async (budget: string) =>
      (await dryRun(budget)).split("\n").flatMap((line) => /^ {4}estimate +(.*)/.exec(line)?.[1] ?? []);
    expect(await estimates("5")).toEqual([
      "$2.25, leaves $2.75 of the budget",
      "$0.30, leaves $2.45 of the budget",
      "$2.25, leaves $0.20 of the budget",
    ]);
    expect(await estimates("2.4")).toEqual(["$2.25, leaves $0.15 of the budget"]);
    const text = await dryRun("2.4");
    expect(text).toContain("\nWOULD DISPATCH (1)\n  s-2  ");
    expect(text).toMatch(
      /\nDEFERRED \(3\)\n {2}s-4 .* may cost \$0\.30, and \$0\.15 of the budget is left\n {2}s-6 .* waits behind s-4, which the budget cannot pay\n {2}s-3 /,
    );
    const plan = JSON.parse(await dryRun("2.4", "--json"));
    expect(plan.dispatch.map(({ id }: { id: string }) => id)).toEqual(["s-2"]);
    expect(plan.deferred).toMatchObject([
      { id: "s-4", reason_code: "beyond_budget", by: null },
      { id: "s-6", reason_code: "behind_budget", by: "s-4" },
      { id: "s-3", reason_code: "conflict" },
    ]);
  });

  test("--max narrows the wave and cannot widen it past the project's ceiling", async () => {
    const root = project({ beads, config: { max_concurrent_slots: 1 } });
    expect(ids((await koryph(root, "run", "--dry-run", "--json", "--max", "9")).stdout)).toEqual(["s-2"]);
    expect((await koryph(root, "run", "--dry-run", "--max", "9")).stdout).toContain(
      "width 1 (--max 9 is above max_concurrent_slots)",
    );
  });

  test("--parent keeps what lies below a bead, --only a single one", async () => {
    const root = project({ beads });
    expect(ids((await koryph(root, "run", "--dry-run", "--json", "--parent", "s-1")).stdout)).toEqual([
      "s-2",
    ]);
    expect(ids((await koryph(root, "run", "--dry-run", "--json", "--only", "s-3")).stdout)).toEqual(["s-3"]);
  });

  test.each([
    {
      name: "an unknown bead",
      only: "s-9",
      says: "the work source has no bead s-9; did you mean s-1 or s-2 or s-3?",
    },
    { name: "nothing that comes close", only: "elsewhere", says: "the work source has no bead elsewhere\n" },
    { name: "a bead that waits", only: "s-5", says: "bead s-5 is not ready: it waits for s-2" },
  ])("--only with $name says why not", async ({ only, says }) => {
    const { code, stderr, stdout } = await koryph(project({ beads }), "run", "--dry-run", "--only", only);
    expect(stderr).toContain(says);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  test("--default-model is used where no label asks for a model, and a refused one defers the bead", async () => {
    const { stdout } = await koryph(
      project({ beads }),
      "run",
      "--dry-run",
      "--json",
      "--default-model",
      "fable",
    );
    const plan = JSON.parse(stdout);
    expect(ids(stdout)).toEqual(["s-4"]);
    expect(plan.deferred.map((item: { reason_code: string }) => item.reason_code)).toEqual([
      "model_refused",
      "model_refused",
    ]);
  });

  test.each([
    { name: "an empty backlog", given: [], argv: [], says: "nothing is ready: the work source has no beads" },
    {
      name: "a bead without children",
      given: beads,
      argv: ["--parent", "s-4"],
      says: "nothing is ready: no bead lies below s-4",
    },
  ])("$name says so", async ({ given, argv, says }) => {
    expect((await koryph(project({ beads: given }), "run", "--dry-run", ...argv)).stdout).toContain(says);
  });

  test("rows of held-back beads keep to 80 columns, and a long reason pads no other row", async () => {
    const title = "A title that goes on for much longer than anybody would like to read in a list";
    const crowd = Array.from({ length: 9 }, (_, n) => ({
      id: `kiosk-${n + 1}`,
      title,
      labels: n === 8 ? ["model:a-model-that-nobody-ever-allowed-for-this-project"] : ["fp:x"],
    }));
    const { stdout } = await koryph(project({ beads: crowd }), "run", "--dry-run");
    const rows = stdout.split("DEFERRED")[1]?.split("\n\n")[0]?.split("\n").slice(1) ?? [];
    expect(rows).toHaveLength(8);
    expect(rows.filter((row) => row.length > 80 && !row.includes("nobody-ever-allowed"))).toEqual([]);
    expect(rows.filter((row) => /\S {3,}\S/.test(row))).toEqual([]);
  });
});

test("plan learn says that there is too little history, and asks nobody", async () => {
  const { code, stdout } = await koryph(project({ beads }), "plan", "learn");
  expect(code).toBe(0);
  expect(stdout).toContain("Areas of shop, from 0 landed beads");
  expect(stdout).toContain("too little history");
});

describe("plan audit", () => {
  test("shows each part of the report", async () => {
    const audited = project({
      beads: [
        ...beads,
        { id: "s-6", title: "Vague" },
        { id: "s-7", title: "Hidden", labels: ["fp:x", "area:docs"] },
        { id: "s-8", title: "Nowhere", labels: ["area:moon"] },
        {
          id: "s-9",
          title: "Ring",
          labels: ["fp:r"],
          dependencies: [{ id: "s-10", dependency_type: "blocks" }],
        },
        {
          id: "s-10",
          title: "Ring too",
          labels: ["fp:r"],
          dependencies: [{ id: "s-9", dependency_type: "blocks" }],
        },
      ],
    });
    const { code, stdout } = await koryph(audited, "plan", "audit");
    expect(stdout).toMatchInlineSnapshot(`
      "Plan audit of shop: 10 open beads

      UNLABELED (2)  nothing says what they touch, so they run one at a time
        s-6
        s-8

      NON-DISPATCHABLE (1)  no agent will get these as they are
        s-1  non-dispatch issue_type epic

      CONFLICTING PAIRS (2)  only their footprints keep them apart
        s-2  s-3  write-write  src/api
        s-6  s-8  write-write  domain:unknown
        busiest tokens:
          domain:unknown  2 write, 0 read
          r               2 write, 0 read
          src/api         2 write, 0 read

      PARALLEL WIDTH
        current    4  beads that fit side by side as they are
        potential  5  if every unlabeled bead had a label of its own

      CORPUS STATS
        open           10
        ready          7
        dispatchable   9
        tokens         6
        refactor-core  0
        no-dispatch    0

      WARNINGS (3)  what does not do what it seems to
        s-7: area:docs has no effect beside its fp: labels
        s-8: area_map does not list area:moon
        s-9 → s-10 → s-9: these wait for one another and never become ready
      "
    `);
    expect(code).toBe(0);
  });

  test("--epic looks below one bead only", async () => {
    const report = JSON.parse(
      (await koryph(project({ beads }), "plan", "audit", "--epic", "s-1", "--json")).stdout,
    );
    expect(report).toMatchObject({
      epic_id: "s-1",
      total_open: 1,
      parallel_width: { current: 1, potential: 1 },
    });
  });

  test("one bead is one bead, and an order that leaves no pair leaves no busy token", async () => {
    expect((await koryph(project({ beads: beads.slice(3, 4) }), "plan", "audit")).stdout).toContain(
      "Plan audit of shop: 1 open bead\n",
    );
    const ordered = [
      { id: "a", title: "A", labels: ["fp:x"] },
      { id: "b", title: "B", labels: ["fp:x"], dependencies: [{ depends_on_id: "a", type: "blocks" }] },
    ];
    expect((await koryph(project({ beads: ordered }), "plan", "audit")).stdout).not.toContain("busiest");
  });

  test("pairs are shown as people count, and listed in JSON by id", async () => {
    const root = project({ beads: [10, 3, 1].map((n) => ({ id: `k-${n}`, title: "T", labels: ["fp:x"] })) });
    const shown = (await koryph(root, "plan", "audit")).stdout;
    expect(shown.match(/k-\d+ +k-\d+/g)?.map((pair) => pair.split(/ +/).join(" "))).toEqual([
      "k-1 k-3",
      "k-1 k-10",
      "k-3 k-10",
    ]);
    const { listed } = JSON.parse((await koryph(root, "plan", "audit", "--json")).stdout).conflicts;
    expect(listed.map(({ a, b }: { a: string; b: string }) => `${a} ${b}`)).toEqual([
      "k-1 k-10",
      "k-1 k-3",
      "k-10 k-3",
    ]);
  });

  test("--json lists the open beads, and a model that may not be used is a reason", async () => {
    const root = project({ beads: [...beads, { id: "s-6", title: "Odd", labels: ["model:gpt", "fp:q"] }] });
    const report = JSON.parse((await koryph(root, "plan", "audit", "--json")).stdout);
    expect(report.open).toContainEqual({ id: "s-2", title: "Endpoint", status: "open", priority: 1 });
    expect(report.open).toHaveLength(6);
    expect(report.non_dispatchable).toContainEqual({
      id: "s-6",
      reason_code: "model_refused",
      reason: "model gpt (label model:gpt) is not in allowed_models: haiku, sonnet, opus",
    });
  });

  test("--epic with an unknown bead names those that come close", async () => {
    const { code, stderr } = await koryph(project({ beads }), "plan", "audit", "--epic", "s-11");
    expect(stderr).toContain("the work source has no bead s-11; did you mean s-1?");
    expect(code).toBe(1);
  });

  test("lists at most 200 pairs with the true total, and more with --all", async () => {
    const crowd = Array.from({ length: 30 }, (_, n) => ({
      id: `c-${n}`,
      title: "Crowd",
      labels: ["fp:square"],
    }));
    const root = project({ beads: crowd });
    const short = JSON.parse((await koryph(root, "plan", "audit", "--json")).stdout).conflicts;
    const long = JSON.parse((await koryph(root, "plan", "audit", "--json", "--all")).stdout).conflicts;
    expect([short.listed.length, short.total]).toEqual([200, 435]);
    expect([long.listed.length, long.total]).toEqual([435, 435]);
    expect((await koryph(root, "plan", "audit")).stdout).toContain("and 235 more; --all lists them");
  });
});

describe("bad input", () => {
  test("a malformed line names file, line and reason, and the file stays as it was", async () => {
    const text = `${JSON.stringify(beads[0])}\n{"id":"s-2","title":"x",}\n{"id":"../up","title":"y"}\n`;
    const root = project({ beads: text });
    const { code, stdout, stderr } = await koryph(root, "run", "--dry-run");
    expect(stderr).toContain(`${join(root, ".koryph/beads.jsonl")}:2: not JSON`);
    expect(stderr).toContain(`${join(root, ".koryph/beads.jsonl")}:3: id: found "../up", needed letters`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(readFileSync(join(root, ".koryph/beads.jsonl"), "utf8")).toBe(text);
  });

  test("a config with five mistakes reports five, each with key, value and what would be right", async () => {
    const root = project({
      config: {
        work_source: "jira",
        gate: [],
        poll_seconds: 0,
        max_concurent_slots: 3,
        review: { auto: "yes" },
      },
    });
    const { code, stderr } = await koryph(root, "validate");
    expect(stderr.split("\n").slice(1, -2)).toMatchInlineSnapshot(`
      [
        "  work_source: found "jira", needed one of github, bd, file",
        "  gate: found [], needed at least one shell command",
        "  poll_seconds: found 0, needed a whole number of at least 1",
        "  review.auto: found "yes", needed true or false",
        "  max_concurent_slots: found 3 under an unknown key, needed the key max_concurrent_slots (did you mean that?)",
      ]
    `);
    expect(stderr).toContain("has 5 problems");
    expect(code).toBe(1);
  });

  test.each([["validate"], ["run"], ["run", "--dry-run"]])(
    "what no run can start with is refused in the same words by %s %s",
    async (...args) => {
      const root = project({ beads, config: { default_runtime: "mine", merge_policy: "pr" } });
      const { code, stdout, stderr } = await koryph(root, ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr.split("\n").slice(1, -2)).toEqual([
        '  merge_policy: found "pr", needed a remote on GitHub, as this repository has none, or manual or auto',
        `  default_runtime: found "mine", needed one of ${RUNTIMES.map(({ name }) => name).join(", ")}, or runtimes.mine.command with its program`,
      ]);
    },
  );

  test("agents that must be contained are not started, and who would like them to be is told that they are not", async () => {
    const env = { PATH: pathWithoutBubblewrap() };
    const required = project({ beads, config: { containment: "required" } });
    const run = await koryphWith(env, required, "run");
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toMatch(
      /^koryph: containment is required, .*\(containment_missing\)\n {2}next: install bubblewrap/,
    );
    for (const [level, words] of [
      ["required", "containment is required"],
      ["preferred", "nothing contains agents here"],
    ] as const) {
      const told = await koryphWith(env, project({ config: { containment: level } }), "validate");
      expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining("is fine") });
      expect(told.stderr).toMatch(new RegExp(`^warning: ${words}.*\\(containment_missing\\)\n {2}next: `));
    }
    expect((await koryphWith(env, project(), "validate")).stderr).toBe("");
  });

  test.each([
    { name: "absent", run: () => koryph(tempFolder(), "validate"), says: "was not found in" },
    {
      name: "unreadable",
      run: () => koryph(project({ config: "{\n  oops" }), "validate"),
      says: "line 2, column 3",
    },
    {
      name: "newer",
      run: () => koryph(project({ config: { schema_version: 2 } }), "validate"),
      says: "pull a newer koryph",
    },
    {
      name: "too new for this engine",
      run: () => koryph(project({ config: { engine_version: "99+" } }), "validate"),
      says: "asks for koryph 99+",
    },
    {
      name: "without its work file",
      run: () => koryph(project(), "plan", "audit"),
      says: "beads.jsonl was not found",
    },
    {
      name: "on github",
      run: () => koryph(project({ config: { work_source: "github" } }), "plan", "audit"),
      says: "work_source is github, and this repository has no remote",
    },
    {
      name: "on bd without bd",
      run: () =>
        koryphWith({ PATH: "/nowhere" }, project({ config: { work_source: "bd" } }), "plan", "audit"),
      says: "bd command was not found",
    },
  ])("a project that is $name is a clear sentence and exit 1", async ({ run, says }) => {
    const { code, stdout, stderr } = await run();
    expect(stderr).toContain(says);
    expect(stderr).toContain("next: ");
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  test("a project file above the repository's top does not count", async () => {
    const outer = project({ beads });
    git(outer, "init", "--quiet", "inner");
    expect((await koryph(join(outer, "inner"), "validate")).stderr).toContain("was not found");
  });

  test("a title that drives a terminal is shown, not obeyed", async () => {
    const { stdout } = await koryph(
      project({ beads: [{ id: "x", title: "red \u001b[31m\u202e\nline", labels: ["fp:\u0007t"] }] }),
      "run",
      "--dry-run",
    );
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(stdout).toContain("red \ufffd[31m\ufffd line");
  });
});

describe("usage", () => {
  test.each([
    { argv: ["plan", "audit", "--jsn"], says: "Did you mean --json?" },
    { argv: ["rum"], says: "Did you mean run?" },
    { argv: ["run", "--dry-run", "--max", "0"], says: "at least 1" },
    { argv: ["run", "--dry-run", "--max", "two"], says: "at least 1" },
    { argv: ["plan"], says: "audit" },
    { argv: ["completion", "tcsh"], says: "bash, zsh, fish" },
  ])("koryph $argv exits 2 and says $says", async ({ argv, says }) => {
    const { code, stdout, stderr } = await koryph(project(), ...argv);
    expect(stderr).toContain(says);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  test("koryph alone is help, and help names the exit codes", async () => {
    const { code, stdout } = await koryph(tempFolder());
    expect(stdout).toContain("Exit codes:");
    expect(code).toBe(0);
  });

  test("version, --version and package.json agree", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    expect([
      (await koryph(tempFolder(), "version")).stdout,
      (await koryph(tempFolder(), "--version")).stdout,
    ]).toEqual([`${version}\n`, `${version}\n`]);
  });
});

function ids(json: string): string[] {
  return JSON.parse(json).dispatch.map((item: { id: string }) => item.id);
}
