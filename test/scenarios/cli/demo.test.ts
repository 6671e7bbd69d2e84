import { describe, expect, test } from "vitest";
import { DEMO_BEADS, DEMO_PROJECT, DEMO_RUN } from "../../../src/cli/demo/demo-backlog.js";
import { resolveMergePolicy } from "../../../src/core/route/merge-policy.js";
import { koryphWith } from "../../support/cli/koryph.js";
import { tempFolder } from "../../support/temp-folder.js";

type DemoBead = (typeof DEMO_BEADS)[number];

function landingOf(bead: DemoBead, backlog: readonly DemoBead[]) {
  const epics = backlog.filter(({ id }) => id === bead.parent).map(({ labels }) => labels);
  return resolveMergePolicy(epics, DEMO_PROJECT.merge_policy);
}

test.each(DEMO_RUN)("$id lands in the demo's run as its dry run says", (bead) => {
  expect(landingOf(bead, DEMO_RUN)).toEqual(landingOf(bead, DEMO_BEADS));
  expect(landingOf(bead, DEMO_RUN).policy).toBe("auto");
});

// A demo takes a quarter of a minute, and that it comes to its end is shown elsewhere.
describe.runIf(process.env.KORYPH_LONG)("the demo", () => {
  test("kills its engine, goes on, and ends with what to do next", () => {
    const { code, stdout } = koryphWith({ TMPDIR: tempFolder() }, tempFolder(), "demo");
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("is gone; `koryph run --resume` goes on");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("next: koryph init in your own repository");
  });
});
