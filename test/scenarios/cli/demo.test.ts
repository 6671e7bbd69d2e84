import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DEMO_WIDTH } from "../../../src/core/replies/surfaces/demo.js";
import { LONG } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

vi.setConfig({ testTimeout: 240_000 });

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

function startDemo(temp: string, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, "demo", ...args], {
    env: { PATH: process.env.PATH, HOME: temp, TMPDIR: temp, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended, lines: createInterface({ input: child.stdout }) };
}

test("a demo that is interrupted, twice as npm does it, leaves neither a process nor a folder", async () => {
  const temp = tempFolder();
  const demo = startDemo(temp);
  for await (const line of demo.lines) if (/gh-\d+ +starts /.test(line)) break;
  expect(processesIn(temp)).not.toEqual([]);
  demo.child.kill("SIGINT");
  demo.child.kill("SIGINT");
  expect(await demo.ended).toBe(130);
  expect(readdirSync(temp)).toEqual([]);
  expect(processesIn(temp)).toEqual([]);
});

// A demo takes half a minute, and what it shows is tested elsewhere.
describe.runIf(LONG)("the demo", () => {
  test("kills its engine, lands by comment, proves it, and ends with a report and what to do next", async () => {
    const temp = tempFolder();
    const demo = startDemo(temp);
    const lines: string[] = [];
    for await (const line of demo.lines) lines.push(line);
    const text = lines.join("\n");
    expect(await demo.ended, text).toBe(0);
    expect(text).toMatch(/agents? go(?:es)? on\s+without it/);
    expect(text).toMatch(/gh-4 +gate red/);
    expect(text).toMatch(/gh-5 +sent back/);
    expect(text).toMatch(/gh-6 +died/);
    expect(text).toContain("holds: 3 commits of main, 2 receipts");
    // A path is as long as it is.
    expect(lines.filter((line) => line.length > DEMO_WIDTH && !line.includes(temp))).toEqual([]);
    expect(lines.at(-1)).toContain("koryph demo --keep");
    expect(readdirSync(temp)).toEqual(["koryph-demo.html"]);
    const page = readFileSync(join(temp, "koryph-demo.html"), "utf8");
    expect(page).toContain("<dd>2 of 6</dd>");
    expect(page.match(/✓ signed, and holds/g)).toHaveLength(2);
  });

  test("tells programs in one object, keeps running until it is ended, and leaves the report alone", async () => {
    const temp = tempFolder();
    const report = join(tempFolder(), "told.html");
    const demo = startDemo(temp, "--json", "--keep", "--report", report);
    let text = "";
    for await (const line of demo.lines) {
      text += `${line}\n`;
      if (line === "}") break;
    }
    expect(JSON.parse(text)).toMatchObject({
      ...{ ok: true, verified: true, report, pulls_opened: 5, landed: [{ bead: "gh-2" }, { bead: "gh-4" }] },
    });
    expect(demo.child.exitCode).toBeNull();
    demo.child.kill("SIGINT");
    expect(await demo.ended).toBe(0);
    expect(readdirSync(temp)).toEqual([]);
    expect(processesIn(temp)).toEqual([]);
  });
});
