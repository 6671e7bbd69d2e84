import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Variations of stories that the short form tells once, or that rules tell more cheaply. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const TITLE = `ghp_TITLE${LETTERS}`;
const SECRETS = {
  title: TITLE,
  stderr: `ghp_${LETTERS}`,
  address: "hunter2secret",
  anthropic: "sk-ant-api03-AAAABBBBCCCCDDDDEEEE",
  aws: "AKIAIOSFODNN7EXAMPLE",
  gitlab: "glpat-ABCDEFGHIJKLMNOPQRST",
  password: "Sup3rS3cret99",
  nudge: `github_pat_11${LETTERS}`,
  hold: "xoxb-123456789012-abcdefghijkl",
} as const;

test("nothing that agents print or people write puts a secret on record, on a screen or in the tracker", async () => {
  const { stderr, address, anthropic, aws, gitlab, password } = SECRETS;
  const lab = new EngineLab({
    agents: {
      prints: `echo "fatal: auth failed for ${stderr} and https://bob:${address}@example.com/x" >&2\nexit 3\n`,
      writes: `say blocked 'key ${anthropic} password=${password} ${aws} ${gitlab}'\n`,
      works: "mark up\nawait go\ncommit one\nsay done ''\n",
    },
    beads: { works: { title: `use ${TITLE}` } },
    remote: true,
  });
  const places: Record<string, string> = {};
  const told = async (...args: string[]) => {
    const { stdout, stderr: errors } = await lab.koryph(...args);
    places[`koryph ${args[0]} ${args[1] ?? ""}`] = stdout + errors;
  };
  const run = lab.start("run", "--json");
  await lab.marked("up");
  await told("nudge", "works", `push with ${SECRETS.nudge}`);
  lab.allow("go");
  await run.ended;
  await told("hold", "works", "until", SECRETS.hold);
  for (const args of [["log", "--json"], ["log"], ["status", "--json"], ["status"]]) await told(...args);
  const ledger = git(lab.remote, "log", "--format=%B", "refs/koryph/ledger");
  // People's own words in the tracker are theirs; what koryph adds is not.
  const tracker = lab
    .workLines()
    .map(({ title, ...rest }) => JSON.stringify(rest))
    .join("\n");
  const reports = readdirSync(join(lab.projectHome, "runs"), { recursive: true, encoding: "utf8" })
    .filter((name) => /report-.*\.md$/.test(name))
    .map((name) => readFileSync(join(lab.projectHome, "runs", name), "utf8"))
    .join("\n");
  Object.assign(places, { run: run.said(), ledger, tracker, reports });

  expect(places.run).toContain("https://[redacted]@example.com/x");
  expect(tracker).toContain("[redacted]");
  for (const type of ["hold.placed", "control.nudge"]) expect(ledger.includes(type)).toBe(true);
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(SECRETS).flatMap(([name, secret]) =>
      text.includes(secret) ? [`${name} in ${place}`] : [],
    ),
  );
  expect(leaks).toEqual([]);
});

test("a backoff that is no number is refused before anything starts", async () => {
  const lab = new EngineLab({ agents: { one: "commit one\n" } });
  lab.env = { KORYPH_BACKOFF_SEC: "abc" };
  const { code, stderr } = await lab.koryph("run");
  expect(stderr).toContain("KORYPH_BACKOFF_SEC is abc, and it must be a whole number of seconds, such as 15");
  expect(code).not.toBe(0);
  expect(lab.starts("one")).toEqual([]);
});

test.each([
  ["main", "ledger.ref: found"],
  ["trunk", "ledger.ref is refs/heads/trunk, which is the default branch"],
])("a ledger on the default branch %s is refused, and the branch stays as it is", async (branch, said) => {
  const lab = new EngineLab({ agents: { one: "commit one\n" }, remote: true });
  git(lab.remote, "branch", "--move", "main", branch);
  git(lab.remote, "symbolic-ref", "HEAD", `refs/heads/${branch}`);
  const before = git(lab.remote, "for-each-ref");
  lab.configure({ ledger: { ref: `refs/heads/${branch}` } });
  expect((await lab.koryph("run")).stderr).toContain(said);
  for (const args of [["status"], ["nudge", "one", "x"], ["ledger", "check"]]) await lab.koryph(...args);
  expect(git(lab.remote, "for-each-ref")).toBe(before);
  expect(lab.starts("one")).toEqual([]);
});

longTest(
  "two repositories with one project id: the second is refused by every command, and the first goes on",
  async () => {
    const first = new EngineLab({ agents: { one: "commit one\nsay done ''\n" }, remote: true });
    const second = new EngineLab({ agents: { two: "commit one\n" }, remote: true });
    second.env = { KORYPH_HOME: first.home };
    await first.koryph("run");
    const before = await first.status();
    expect(before).toEqual({ one: "merge-pending" });

    const refused = async () => {
      for (const args of [["status"], ["run"], ["log"], ["nudge", "two", "x"], ["gc"]]) {
        const { code, stderr } = await second.koryph(...args);
        expect(stderr).toContain(`project id lab belongs to ${first.root} on this machine`);
        expect(code).not.toBe(0);
      }
    };
    await refused();
    // The entry is gone, the state is not, and the other repository still has the id.
    expect((await second.koryph("project", "remove", "lab")).code).toBe(0);
    await refused();
    expect(existsSync(join(first.home, "registry.d", "lab.json"))).toBe(false);
    expect(await first.status()).toEqual(before);
    expect((await first.koryph("run")).stderr).toBe("");
  },
);
