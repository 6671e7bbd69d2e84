import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GovernorFile } from "../../../src/adapters/govern/governor-file.js";
import { MachineGovernor } from "../../../src/adapters/govern/machine-governor.js";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import type { AgentEnd } from "../../../src/core/model/agent-end.js";
import type { Slot } from "../../../src/core/run/ledger/slot.js";
import { placeFor } from "../../../src/core/run/tick/admission.js";
import type { SlotObservation } from "../../../src/core/run/tick/tick-facts.js";
import type { EngineNews, EngineParts, EngineSettings } from "../../../src/engine/engine-parts.js";
import { Troubles } from "../../../src/engine/faults/troubles.js";
import { AgentPlaces } from "../../../src/engine/govern/agent-places.js";
import { agentEnd, projectWith, slot } from "../../support/core/slots.js";
import { observed } from "../../support/core/tick-facts.js";
import { tempFolder } from "../../support/temp-folder.js";

const config = projectWith({ project_id: "shop", resources: { gpu: { capacity: 2, mem_mb: 700 } } });
const agent = { pid: process.pid, start: "0", boot: "another" };
const at = (bead: string, given: Partial<Slot> = {}) =>
  slot({ bead, status: "dispatching", runtime: "claude", ...given });
const seen = (bead: string, process: SlotObservation["process"]) => new Map([[bead, observed({ process })]]);
const ended = (end: Partial<AgentEnd>) => ({ kind: "ended", end: agentEnd(end) }) as const;

function engine() {
  const home = new KoryphHome(join(tempFolder(), "home"));
  const file = new GovernorFile(home);
  const news: EngineNews[] = [];
  const report = (each: EngineNews) => void news.push(each);
  const parts = {
    governor: new MachineGovernor(file, { status: async () => ({ kind: "none" }) }),
    folders: { folder: ({ bead }: { bead: string }) => `/runs/${bead}` },
    now: Date.now,
    report,
  } as unknown as EngineParts;
  const settings = { config } as unknown as EngineSettings;
  const places = new AgentPlaces(parts, settings, new Troubles(report));
  const state = async () => {
    const reading = await file.read();
    if (reading.kind !== "read") throw new Error(reading.problem);
    return reading.state;
  };
  return { places, state, news, path: home.governor.file };
}

test("a place is the engine's, then its agent's, and free when that has ended", async () => {
  const { places, state } = engine();
  const a = at("a", { resources: ["gpu"] });
  expect(await places.take("r-1", placeFor(a))).toBe(true);
  await places.keep([a], seen("a", { kind: "none" }));
  const [lease] = (await state()).leases;
  expect(lease).toMatchObject({
    ...{ project: "shop", bead: "a", attempt: 1, pool: "", folder: "/runs/a" },
    ...{ process: { pid: process.pid }, resources: ["gpu"], memoryMb: 700 },
  });
  await places.keep([a], seen("a", { kind: "alive", identity: agent }));
  expect((await state()).leases).toEqual([{ ...lease, process: agent }]);
  await places.keep([a], seen("a", ended({})));
  await places.giveBack();
  expect(await state()).toMatchObject({ leases: [], pools: [{ reportCount: 0 }] });
});

test("an agent that met its account's limit counts once, however often it is looked at", async () => {
  const { places, state } = engine();
  const a = at("a");
  await places.take("r-1", placeFor(a));
  for (let look = 0; look < 3; look += 1) {
    await places.keep([a], seen("a", ended({ kind: "limited" })));
    await places.giveBack();
  }
  expect(await state()).toMatchObject({ leases: [], pools: [{ pool: "", reportCount: 1 }] });
});

test("so it does after a crash of the engine, when its place was somebody else's already", async () => {
  const { places, state } = engine();
  await places.keep([at("a")], seen("a", ended({ kind: "limited" })));
  await places.giveBack();
  expect(await state()).toMatchObject({ leases: [], pools: [{ pool: "", reportCount: 1 }] });
});

test("the next agent's place is asked for with the end of the one before", async () => {
  const { places, state } = engine();
  await places.take("r-1", placeFor(at("a")));
  await places.keep([at("a")], seen("a", ended({ kind: "limited" })));
  await places.take("r-1", placeFor(at("b")));
  await places.giveBack();
  expect(await state()).toMatchObject({ leases: [{ bead: "b" }], pools: [{ pool: "", reportCount: 1 }] });
});

test("an end is told later when the record cannot be read now", async () => {
  const { places, state, path } = engine();
  await places.take("r-1", placeFor(at("a")));
  await places.keep([at("a")], seen("a", ended({ kind: "limited" })));
  const before = readFileSync(path, "utf8");
  writeFileSync(path, "{");
  expect(await places.take("r-1", placeFor(at("b")))).toBe(false);
  await places.giveBack();
  writeFileSync(path, before);
  await places.giveBack();
  expect(await state()).toMatchObject({ leases: [], pools: [{ pool: "", reportCount: 1 }] });
});

test("a launch makes sure of its place without writing, and takes it again when it was lost", async () => {
  const { places, state, path } = engine();
  const a = at("a");
  await places.take("r-1", placeFor(a));
  const written = statSync(path).ino;
  expect(await places.takeAgain(a)).toBe(true);
  expect(statSync(path).ino).toBe(written);
  rmSync(path);
  expect(await places.takeAgain(a)).toBe(true);
  expect((await state()).leases).toMatchObject([{ bead: "a" }]);
});

test("a place for a dispatch that was never recorded is given back at the next look", async () => {
  const { places, state } = engine();
  await places.take("r-1", placeFor(at("a")));
  await places.keep([], new Map());
  expect((await state()).leases).toEqual([]);
});

test("a run that is taken up again ties the agent that it finds to its place", async () => {
  const { places, state } = engine();
  await places.keep([at("a", { status: "running" })], seen("a", { kind: "alive", identity: agent }));
  expect((await state()).leases).toMatchObject([{ bead: "a", process: agent }]);
});

test("what agents wait for is told once for all of them, and again after one was let in", async () => {
  const { places, news } = engine();
  const beads = Array.from({ length: 10 }, (_, n) => at(`b-${n}`));
  for (const each of beads) await places.take("r-1", placeFor(each));
  expect(news).toMatchObject([
    { kind: "not-admitted", bead: null, why: { code: "machine_full", ceiling: 8 } },
  ]);
  expect(places.denials()).toHaveLength(2);
  await places.keep(beads.slice(0, 8), seen("b-0", ended({})));
  // An agent of this run has ended, so asking may help.
  expect(places.denials()).toEqual([]);
  expect(await places.take("r-1", placeFor(at("b-8")))).toBe(true);
  expect(await places.take("r-1", placeFor(at("b-9")))).toBe(false);
  expect(news).toHaveLength(2);
});
