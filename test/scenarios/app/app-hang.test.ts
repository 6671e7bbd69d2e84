import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { starterProject } from "../../../src/core/config/starter-project.js";
import * as people from "../../../src/sandbox/world/people.js";
import { AppProcess } from "../../support/app/app-process.js";
import { AppWorld } from "../../support/app/app-world.js";
import { longTest } from "../../support/long.js";

const TRAP = "mallory/trap";
const MINUTE = 60_000;

/** The ledger's ref is a pipe that nobody writes to: whoever asks for the refs is taken, and never answered. */
function hangLedger(gitDir: string): { readonly release: () => void } {
  const ref = join(gitDir, "refs", "koryph", "ledger");
  mkdirSync(dirname(ref), { recursive: true });
  execFileSync("mkfifo", [ref]);
  return {
    release: () => {
      // Those who read it come to its end.
      closeSync(openSync(ref, constants.O_RDWR | constants.O_NONBLOCK));
      rmSync(ref);
    },
  };
}

// The server's own limits are waited for: a minute for git, two for an answer.
longTest(
  "a repository that hangs on eight threads at once keeps no other one waiting",
  async () => {
    const world = await AppWorld.open();
    const { sandbox } = world;
    sandbox.addUser("mallory");
    const files = { "koryph.project.json": starterProject("trap", ["true"]) };
    await sandbox.addRepository({ owner: "mallory", name: "trap", files });
    sandbox.install({ id: Number(world.env.APP_ID) }, [TRAP]);
    const trap = hangLedger(sandbox.world.repository(TRAP)?.gitDir ?? "");
    try {
      const app = await AppProcess.open(world);
      await app.start();
      for (let thread = 0; thread < 8; thread += 1) {
        const issue = await people.openIssue(sandbox.world, TRAP, "mallory", { title: "x", body: "" });
        await people.comment(sandbox.world, TRAP, issue, "mallory", "/koryph status");
      }
      const metric = async (line: RegExp) =>
        Number(line.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1] ?? 0);
      const inHand = /^koryph_inbox_jobs\{lane="intake",state="in-hand"\} (\d+)$/m;
      await expect.poll(() => metric(inHand), { timeout: MINUTE }).toBe(8);

      const issue = await world.as("maria").opens("Sell shoes");
      await world.as("maria").writes(issue, "/koryph status");
      await expect.poll(() => world.replies(issue).length, { timeout: 3 * MINUTE }).toBe(1);
      expect(world.reply(issue)).toMatch(/^✅ .*stands/u);
      const overdue = /^koryph_jobs_overdue_total\{lane="intake"\} (\d+)$/m;
      await expect.poll(() => metric(overdue), { timeout: 3 * MINUTE }).toBeGreaterThan(0);
      await app.kill();
    } finally {
      trap.release();
      await world.close();
    }
  },
  6 * MINUTE,
);
