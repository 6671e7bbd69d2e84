import { expect, vi } from "vitest";
import { fakeBd } from "../../support/cli/fake-bd.js";
import { landLab } from "../../support/landing/land-lab.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

longTest("a run that lands a backlog of bd's asks it at most four times for each bead", async () => {
  const ids = Array.from({ length: 12 }, (_, at) => `b-${at}`);
  const bd = fakeBd(ids.map((id) => ({ id, title: id, status: "open", labels: [`fp:${id}`] })));
  const lab = landLab({
    agents: Object.fromEntries(ids.map((id) => [id, "commit one"])),
    config: () => ({ work_source: "bd", max_concurrent_slots: 4 }),
    remote: false,
  });
  lab.env = { ...lab.env, PATH: process.env.PATH ?? "" };
  const { code, stdout, stderr } = await lab.koryph("run", "--auto-merge");
  expect({ code, stderr }, stdout).toEqual({ code: 4, stderr: "" });
  expect(bd.beads().map(({ status }) => status)).toEqual(ids.map(() => "closed"));
  expect(bd.calls().length).toBeLessThanOrEqual(4 * ids.length);
});
