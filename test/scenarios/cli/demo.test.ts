import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEMO_BEADS, DEMO_PROJECT, DEMO_RUN } from "../../../src/cli/demo/demo-backlog.js";
import { readBead } from "../../../src/core/config/bead-record.js";
import { readProject } from "../../../src/core/config/read-project.js";
import { dispatchPlanJson } from "../../../src/core/replies/schedule/plan-json.js";
import { DEMO_WIDTH } from "../../../src/core/replies/surfaces/demo.js";
import { planSummary } from "../../../src/core/replies/surfaces/demo-plan.js";
import { resolveMergePolicy } from "../../../src/core/route/merge-policy.js";
import { planDispatch } from "../../../src/core/run/plan/plan-dispatch.js";
import { frontierOf } from "../../../src/core/schedule/work-graph.js";
import { koryphWith } from "../../support/cli/koryph.js";
import { LONG } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

type DemoBead = (typeof DEMO_BEADS)[number];

function landingOf(bead: DemoBead, backlog: readonly DemoBead[]) {
  const epics = backlog.filter(({ id }) => id === bead.parent).map(({ labels }) => labels);
  return resolveMergePolicy(epics, DEMO_PROJECT.merge_policy);
}

test.each(DEMO_RUN)("$id lands in the demo's run as its dry run says", (bead) => {
  expect(landingOf(bead, DEMO_RUN)).toEqual(landingOf(bead, DEMO_BEADS));
  expect(landingOf(bead, DEMO_RUN).policy).toBe("auto");
});

test("the demo's plan shows every ready bead in six lines", () => {
  const command = { runtimes: { demo: { command: ["/bin/true"] } } };
  const reading = readProject(JSON.stringify({ ...DEMO_PROJECT, ...command }));
  if (reading.kind !== "ok") throw new Error(JSON.stringify(reading));
  const { config } = reading;
  const beads = DEMO_BEADS.map(readBead).flatMap((read) => (read.kind === "bead" ? [read.bead] : []));
  const frontier = frontierOf(beads);
  const lines = planSummary(dispatchPlanJson(planDispatch({ config, beads, frontier }), { config }));
  expect(lines).toHaveLength(6);
  expect(lines.filter((line) => line.length > DEMO_WIDTH)).toEqual([]);
  expect(new Set(lines.join(" ").match(/kiosk-\d+/g))).toEqual(new Set(frontier.map(({ id }) => id)));
});

/** Processes that work in the folder or below it. */
function processesIn(folder: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    });
}

test("a demo that is interrupted, twice as npm does it, leaves neither a process nor a folder", async () => {
  const temp = tempFolder();
  const demo = spawn(process.execPath, [MAIN, "demo"], {
    env: { PATH: process.env.PATH, HOME: temp, TMPDIR: temp, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(demo, "exit");
  onTestFinished(() => void demo.kill("SIGKILL"));
  for await (const line of createInterface({ input: demo.stdout })) if (line.includes("goes on")) break;
  expect(processesIn(temp)).not.toEqual([]);
  demo.kill("SIGINT");
  demo.kill("SIGINT");
  expect((await ended)[0]).toBe(130);
  expect(readdirSync(temp)).toEqual([]);
  expect(processesIn(temp)).toEqual([]);
});

// A demo takes a quarter of a minute, and that it comes to its end is shown elsewhere.
describe.runIf(LONG)("the demo", () => {
  test("kills its engine, goes on, and ends with what to do next", () => {
    const { code, stdout } = koryphWith({ TMPDIR: tempFolder() }, tempFolder(), "demo");
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/5 of 6 beads landed in .*7 commits by agents in one straight line, all with a/s);
    expect(stdout.split("\n").filter((line) => line.length > DEMO_WIDTH)).toEqual([]);
    expect(stdout.trimEnd().split("\n").at(-1)).toContain("koryph demo --keep");
  });
});
