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

test("log --audit shows what people and governors did, on record and on this machine", async () => {
  const lab = new EngineLab({ agents: { a: "commit one\nsay done ''\n" } });
  await lab.koryph("run");
  await lab.koryph("hold", "a", "until", "Monday");
  await lab.koryph("governor", "set", "--ceiling", "5");
  const { stdout } = await lab.koryph("log", "--audit");
  const acts = stdout.trimEnd().split("\n");
  const at = (words: RegExp) => acts.findIndex((line) => words.test(line));
  expect(at(/ {2}run\.started/)).toBeGreaterThan(-1);
  // Its containment is off, so somebody answers for the agent.
  expect(at(/ {2}slot\.dispatching a .*contained=none/)).toBeGreaterThan(at(/ {2}run\.started/));
  expect(at(/ {2}hold\.placed a {2}reason="until Monday"/)).toBeGreaterThan(at(/ {2}run\.ended/));
  expect(at(/^on this machine .*governor/)).toBe(acts.length - 1);
  expect(stdout).not.toMatch(/slot\.started|slot\.passed|lease\./);
  const json = (await lab.koryph("log", "--audit", "--json", "-n", "2")).stdout.trimEnd().split("\n");
  expect(json.map((line) => JSON.parse(line))).toMatchObject([
    { type: "hold.placed" },
    { source: "machine" },
  ]);
});
