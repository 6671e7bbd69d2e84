import { expect, test, vi } from "vitest";
import { EngineLab } from "../../support/engine/engine-lab.js";

vi.setConfig({ testTimeout: 60_000 });

test("log shows the last ones that are asked for, each whole", async () => {
  const lab = new EngineLab({ agents: { a: "", b: "" } });
  await lab.koryph("hold", "a", "until", "the release");
  await lab.koryph("hold", "b");
  await lab.koryph("unhold", "a");
  const all = (await lab.koryph("log")).stdout.trimEnd().split("\n");
  expect(all.at(-3)).toMatch(/ {2}hold\.placed a {2}reason="until the release"$/);
  expect(all.at(-1)).toMatch(/ {2}hold\.lifted a$/);

  expect((await lab.koryph("log", "-n", "2")).stdout).toBe(`${all.slice(-2).join("\n")}\n`);
  expect((await lab.koryph("log", "-n", "99")).stdout).toBe(`${all.join("\n")}\n`);
  const ofA = await lab.koryph("log", "-n", "1", "--bead", "a", "--json");
  expect(JSON.parse(ofA.stdout)).toMatchObject({ type: "hold.lifted", bead: "a" });
  expect(await lab.koryph("log", "-n", "0")).toMatchObject({ code: 2, stdout: "" });
});
