import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import {
  agentHead,
  expectLanded,
  expectQuiet,
  home,
  landLab,
  mainTip,
  prompt,
  pushAside,
  refsOf,
  refusals,
  subjects,
  told,
} from "../../support/landing/land-lab.js";
import { LONG, longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Built on the default branch as it was, and going on when a colleague has pushed to it. */
const later = (bead: string, lines: string) => `mark ${bead}\nawait go\n${lines}`;

interface Story {
  /** What its agents do, one after the other. */
  readonly work: readonly string[];
  /** How its landings are refused. */
  readonly refused: readonly string[];
  readonly ends: "merged" | "blocked" | "conflict";
  /** Subjects of what it leaves on the default branch after the colleague's commit. */
  readonly leaves?: readonly string[];
}

const NOTHING: Story = { work: [], refused: [], ends: "blocked" };

const BEADS: Readonly<Record<string, Story>> = {
  five: { work: ["for name in 1 2 3 4 5; do commit $name; done"], refused: [], ends: "merged" },
  one: { work: [later("one", "commit one")], refused: [], ends: "merged", leaves: ["feat: one one"] },
  mended: {
    work: [
      later("mended", "commit one\nput red for-a-while"),
      "git rm --quiet red\ngit commit --quiet -m 'fix: mended'",
    ],
    refused: ["gate-failed"],
    ends: "merged",
    leaves: ["feat: mended one", "feat: mended puts for-a-while", "fix: mended"],
  },
  red: {
    work: [later("red", "commit one\nput red for-ever"), "commit two", "commit three"],
    refused: ["gate-failed", "gate-failed", "gate-failed"],
    ends: "blocked",
  },
  clash: {
    work: [later("clash", "put shared ours"), "git reset --quiet --hard origin/main\nput shared both"],
    refused: ["conflict"],
    ends: "merged",
    leaves: ["feat: clash puts both"],
  },
  stubborn: {
    work: [later("stubborn", "put shared mine"), "true"],
    refused: ["conflict", "conflict", "conflict"],
    ends: "conflict",
  },
  style: {
    work: [
      later("style", "put styled text 'Styled as it came'"),
      "git commit --quiet --amend -m 'feat: styled as asked'",
    ],
    refused: ["commit-style"],
    ends: "merged",
    leaves: ["feat: styled as asked"],
  },
  styleless: {
    work: [later("styleless", "put styleless text 'No style'"), "true"],
    refused: ["commit-style", "commit-style"],
    ends: "blocked",
  },
  rules: {
    work: [later("rules", "commit one\nput .GitHub/rules text")],
    refused: ["protected"],
    ends: "blocked",
  },
  empty: {
    work: [later("empty", "commit one\ngit rm --quiet empty-one\ngit commit --quiet -m 'revert: empty one'")],
    refused: ["no-changes"],
    ends: "blocked",
  },
};

test.for([
  {
    name: "a bare remote",
    remote: true,
    beads: LONG ? Object.keys(BEADS) : ["five", "mended", "clash", "style"],
  },
  // In the short form work lands without a remote where an engine is killed, and where a checkout is in the way.
  ...(LONG ? [{ name: "no remote", remote: false, beads: Object.keys(BEADS) }] : []),
])(
  "with $name, what passes lands by itself, and what does not is sent back or blocked",
  async ({ remote, beads }) => {
    const chosen = beads.map((bead) => ({ bead, ...(BEADS[bead] ?? NOTHING) }));
    const lab = landLab({
      remote,
      agents: Object.fromEntries(chosen.map(({ bead, work }) => [bead, { work }])),
      config: () => ({ max_concurrent_slots: 10 }),
      files: { shared: "first\n" },
    });
    await lab.bears(10);
    const before = mainTip(lab);
    const run = lab.begin("run", "--auto-merge");
    await run.says(/five {2}landed/);
    for (const bead of beads) if (bead !== "five") await lab.marked(bead);
    // Nobody else had pushed, so the very commits that the agent made are the ones that landed.
    expect(mainTip(lab)).toBe(agentHead(lab, "five"));
    expect(subjects(lab, `${before}..main`)).toEqual([1, 2, 3, 4, 5].map((n) => `feat: five ${n}`));
    const theirs = pushAside(lab, "shared", "theirs");
    lab.allow("go");
    const { code, stdout, stderr } = await run.ended;
    // A bead that was given back is ready again; whether the run still saw it as such is a matter of moments.
    expect(stderr, stdout).toBe("");
    expect([0, 4]).toContain(code);

    const log = await lab.log();
    expect(chosen.map(({ bead }) => [bead, refusals(log, bead)])).toEqual(
      chosen.map(({ bead, refused }) => [bead, refused]),
    );
    expect(await lab.status()).toEqual(Object.fromEntries(chosen.map(({ bead, ends }) => [bead, ends])));
    const landed = chosen.filter(({ ends }) => ends === "merged").map(({ bead }) => bead);
    for (const bead of landed) expectLanded(lab, log, bead);

    // A line of commits: the colleague's, and each commit of what landed once.
    expect(git(home(lab), "rev-list", "--merges", "main")).toBe("");
    expect(subjects(lab, `${theirs}..main`).toSorted()).toEqual(
      chosen.flatMap(({ leaves = [] }) => leaves).toSorted(),
    );

    if (beads.includes("mended"))
      expect(prompt(lab, "mended", "work", 2)).toContain("`test ! -e red` ended with exit code 1, twice");
    expect(prompt(lab, "clash", "work", 2)).toMatch(/## Files in conflict\n- shared/);
    if (beads.includes("style")) expect(prompt(lab, "style", "work", 2)).toContain("Styled as it came");

    // What did not land is kept, and a bead that others' work stands in the way of is anybody's again.
    for (const bead of beads) if (!landed.includes(bead)) expect(refsOf(lab, bead)).not.toEqual([]);
    for (const { bead, ends } of chosen) {
      if (ends !== "conflict") continue;
      expect(lab.workLines().find(({ id }) => id === bead)).toMatchObject({ status: "open", assignee: "" });
      expect(told(log, bead, "slot.blocked")).toMatchObject([
        { status: "conflict", code: "land-refused", reason: expect.stringContaining("shared") },
      ]);
    }

    // With a remote the operator's checkout is none of koryph's business; without one it is what lands.
    expect(git(lab.root, "status", "--porcelain")).toBe("");
    expect(git(lab.root, "rev-parse", "HEAD").trim()).toBe(remote ? before : mainTip(lab));
    expect(readFileSync(join(lab.root, "shared"), "utf8")).toBe(remote ? "first\n" : "both\n");
    await expectQuiet(lab);
  },
);

const POLICIES = {
  beads: {
    careful: { issue_type: "epic", labels: ["merge:manual"] },
    reviewed: { issue_type: "epic", labels: ["merge:pr"] },
    held: { parent: "careful" },
    pull: { parent: "reviewed" },
  },
  agents: { held: "commit one", pull: "commit one", loose: "commit one" },
} as const;

longTest.for([
  {
    name: "with --auto-merge an epic that asks for more care gets it",
    flags: ["--auto-merge"],
    // Nobody is paid for work that could not land.
    ends: { held: ["merge-pending", ""], loose: ["merged", ""] },
    code: 0,
  },
  {
    name: "with --direct everything lands, whatever its epic says",
    flags: ["--direct"],
    ends: { held: ["merged", ""], pull: ["merged", ""], loose: ["merged", ""] },
    code: 4,
  },
])("$name", async ({ flags, ends, code }) => {
  const lab = landLab(POLICIES);
  const { stdout, ...ended } = await lab.koryph("run", ...flags);
  expect(ended, stdout).toEqual({ code, stderr: "" });
  const { slots } = JSON.parse((await lab.koryph("status", "--json")).stdout) as {
    slots: { bead: string; status: string; note: string }[];
  };
  expect(Object.fromEntries(slots.map(({ bead, status, note }) => [bead, [status, note]]))).toEqual(ends);
  await expectQuiet(lab);
});
