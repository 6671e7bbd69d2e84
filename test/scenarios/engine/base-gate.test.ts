import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { put } from "../../support/engine/clone-world.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { processesOf } from "../../support/engine/engine-processes.js";
import { longTest } from "../../support/long.js";

vi.setConfig({ testTimeout: 120_000 });

test("a gate that is red on the default branch ends a run before any agent starts", async () => {
  const lab = new EngineLab({ remote: true, agents: { "b-1": "commit one" } });
  lab.configure({ bootstrap: ["true"], gate: ["echo 3 tests failed; exit 7"] });
  const untried = await lab.koryph("run", "--dry-run");
  expect(untried.stdout).toContain("the gate has not been tried on this default branch");

  put(lab.root, { "mend.txt": "not committed\n" });
  const red = await lab.koryph("run");

  expect(red.code, red.stdout).toBe(1);
  expect(red.stdout).toContain("run ended (gate-red-on-base)");
  expect(red.stderr).toMatch(/`echo 3 tests failed; exit 7` ended with 7.*\n {4}3 tests failed\n/);
  expect(red.stderr).toContain("--allow-red-base");
  expect(red.stderr).toContain("your checkout has uncommitted changes (mend.txt)");
  expect(lab.starts("b-1")).toEqual([]);
  expect((await lab.log()).map(({ type }) => type)).not.toContain("slot.dispatching");
  const known = await lab.koryph("run", "--dry-run");
  expect(known.stdout).toMatch(
    /^the gate was red on the default branch, [0-9a-f]+: koryph run tries it again/,
  );
  expect(known.stdout).toContain("your checkout has uncommitted changes (mend.txt)");

  const mending = await lab.koryph("run", "--allow-red-base");
  expect(mending.code, mending.stdout).toBe(4);
  expect(lab.starts("b-1")).toHaveLength(1);
});

longTest("an interrupt ends a run whose first gate hangs", async () => {
  const lab = new EngineLab({ agents: { "b-1": "commit one" } });
  const hung = join(lab.top, "starts", "hung.mark");
  lab.configure({ bootstrap: [`touch ${hung}; sleep 600`] });
  const { child, ended } = lab.start("run");
  await lab.marked("hung");

  child.kill("SIGINT");

  const { code, stdout } = await ended;
  expect({ code, starts: lab.starts("b-1") }, stdout).toEqual({ code: 0, starts: [] });
  expect(stdout).toContain("run ended (interrupted)");
  expect(stdout).not.toContain("did not come to its end");
  expect(processesOf(lab.top)).toEqual([]);
  expect(lab.names("gates")).toEqual([]);
});
