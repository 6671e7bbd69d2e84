import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Ended } from "../../support/cli/koryph.js";
import { project } from "../../support/cli/project.js";
import { koryph } from "../../support/cli/standing-koryph.js";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { LONG, longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

type Stream = "pipe" | "gone" | "full";

/** Runs koryph with a reader, with one that has left before the first word, or with a full disk, on each stream. */
async function koryphInto(
  streams: { out: Stream; err: Stream; env?: NodeJS.ProcessEnv },
  root: string,
  ...args: string[]
) {
  const full = openSync("/dev/full", "w");
  const target = (stream: Stream) => (stream === "full" ? full : "pipe");
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: root,
      GIT_CONFIG_NOSYSTEM: "1",
      ...streams.env,
    },
    stdio: ["ignore", target(streams.out), target(streams.err)],
  });
  closeSync(full);
  let stderr = "";
  if (streams.out === "gone") child.stdout?.destroy();
  else child.stdout?.resume();
  if (streams.err === "gone") child.stderr?.destroy();
  else
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
  const [code] = await once(child, "close");
  return { code, stderr };
}

const beads = [{ id: "a", title: "A", labels: ["fp:x"] }];

describe("a reader that has left", () => {
  test("before the results is no failure", async () => {
    expect(await koryphInto({ out: "gone", err: "pipe" }, project({ beads }), "plan", "audit")).toEqual({
      code: 0,
      stderr: "",
    });
  });

  test.each(
    [
      { name: "a failure", args: ["run", "--dry-run", "--only", "nobody"], code: 1 },
      { name: "bad usage", args: ["plan", "audit", "--jsn"], code: 2 },
      { name: "success", args: ["plan", "audit"], code: 0 },
    ].slice(0, LONG ? 3 : 1),
  )("before the messages does not change the exit code of $name", async ({ args, code }) => {
    const ended = await koryphInto({ out: "pipe", err: "gone" }, project({ beads }), ...args);
    expect(ended.code).toBe(code);
  });

  longTest("lets the command finish: a run goes on until its bead is done", async () => {
    const lab = new EngineLab({ agents: { a: commitOnce } });
    const streams = { out: "gone", err: "pipe", env: lab.environment } as const;
    expect(await koryphInto(streams, lab.root, "run")).toEqual({ code: 4, stderr: "" });
    expect(await lab.status()).toEqual({ a: "merge-pending" });
  });

  // A demo takes half a minute.
  longTest("lets the command finish: the demo leaves its report alone", async () => {
    const env = { TMPDIR: tempFolder() };
    const { code } = await koryphInto({ out: "gone", err: "pipe", env }, tempFolder(), "demo");
    expect({ code, left: readdirSync(env.TMPDIR) }).toEqual({ code: 0, left: ["koryph-demo.html"] });
  });
});

describe("a disk that is full", () => {
  test("under the results is one sentence and exit 1", async () => {
    const { code, stderr } = await koryphInto(
      { out: "full", err: "pipe" },
      project({ beads }),
      "plan",
      "audit",
    );
    expect(stderr).toMatch(/^koryph: koryph cannot write its results: ENOSPC[^\n]*\n {2}next: [^\n]+\n$/);
    expect(code).toBe(1);
  });

  longTest("under the messages does not change the exit code", async () => {
    const root = project({ beads });
    expect(
      (await koryphInto({ out: "pipe", err: "full" }, root, "run", "--dry-run", "--only", "x")).code,
    ).toBe(1);
    expect((await koryphInto({ out: "pipe", err: "full" }, root, "plan", "audit")).code).toBe(0);
  });
});

describe("what drives a terminal is shown, not obeyed", () => {
  const NASTY = "\u001b[31m\u009b2J\u202e\u0007";
  const DRIVES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/;

  test.each<{ name: string; run: () => Promise<Ended> }>([
    {
      name: "a status in the reason why a bead is not ready",
      run: () =>
        koryph(
          project({ beads: [{ id: "a", title: "A", status: NASTY }] }),
          "run",
          "--dry-run",
          "--only",
          "a",
        ),
    },
    {
      name: "a stage's name that stands twice",
      run: () => koryph(project({ config: { pipeline: [{ name: NASTY }, { name: NASTY }] } }), "validate"),
    },
    {
      name: "a project file that is no JSON",
      run: () => koryph(project({ config: `{"a": ${NASTY}}` }), "validate"),
    },
    { name: "a folder", run: () => koryph(tempFolder(), "--project", `/x${NASTY}`, "validate") },
    { name: "an option", run: () => koryph(tempFolder(), `--${NASTY}`) },
    { name: "a command", run: () => koryph(tempFolder(), NASTY) },
    { name: "an argument", run: () => koryph(tempFolder(), "completion", NASTY) },
    { name: "an option's value", run: () => koryph(tempFolder(), "run", "--dry-run", "--max", NASTY) },
  ])("in $name", async ({ run }) => {
    const { stdout, stderr } = await run();
    expect(stderr).not.toBe("");
    expect(stdout + stderr).not.toMatch(DRIVES);
  });

  test("in JSON, where it is escaped and means the same", async () => {
    const title = `${NASTY}\u{e0041} 👩‍🚀`;
    const root = project({ beads: [{ id: "a", title, labels: ["fp:x"] }] });
    const { stdout } = await koryph(root, "run", "--dry-run", "--json");
    expect(stdout).not.toMatch(DRIVES);
    expect(stdout).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
    expect(JSON.parse(stdout).dispatch[0].title).toBe(title);
  });

  test("a message keeps its own lines", async () => {
    const { stderr } = await koryph(project({ config: { gate: [], poll_seconds: 0 } }), "validate");
    expect(stderr.split("\n").map((line) => line.slice(0, 8))).toMatchObject([
      "koryph: ",
      "  gate: ",
      "  poll_s",
      "  next: ",
      "",
    ]);
  });
});
