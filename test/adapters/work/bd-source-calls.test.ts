import { afterEach, expect, test, vi } from "vitest";
import { BdSource } from "../../../src/adapters/work/bd-source.js";
import { fakeBd } from "../../support/cli/fake-bd.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

const BEADS = Array.from({ length: 6 }, (_, at) => ({
  id: `b-${at}`,
  title: `${at}`,
  status: "open",
}));

function opened(beads: readonly object[] = BEADS) {
  const clock = { now: 0 };
  const bd = fakeBd(beads);
  const source = new BdSource(bd.folder, { now: () => clock.now });
  const listings = () =>
    bd.calls().filter(([verb, ...rest]) => verb === "ready" || rest[0] === "--all").length;
  const ready = async () => (await source.ready()).map(({ id }) => id);
  return { bd, source, clock, listings, ready };
}

/** A tick of the engine that has room for more. */
async function tick({ source }: Pick<ReturnType<typeof opened>, "source">): Promise<void> {
  await source.all();
  await source.ready();
}

test("beads that are claimed, asked for and closed between ticks take fewer than 4 calls each", async () => {
  const world = opened();
  const { source, bd, clock } = world;
  await source.all();
  for (const { id } of BEADS) {
    await tick(world);
    expect(await source.claim(id, "koryph shop")).toBe("claimed");
    expect(await source.get(id)).toMatchObject({ status: "in_progress" });
    await tick(world);
    clock.now += 4_000;
    await tick(world);
    expect(await source.close(id, "landed")).toBe("closed");
  }
  expect(bd.beads().every(({ status }) => status === "closed")).toBe(true);
  expect(bd.calls().length / BEADS.length).toBeLessThan(4);
});

test("what we claimed is closed with one call, however long ago that was", async () => {
  const { source, bd, clock } = opened(BEADS.slice(0, 2));
  await source.all();
  await source.claim("b-0", "me");
  clock.now += 3_600_000;
  const before = bd.calls().length;
  expect(await source.close("b-0", "landed")).toBe("closed");
  expect(bd.calls().length - before).toBe(1);
  // Anything may have become of another one.
  expect(await source.close("b-1", "landed")).toBe("closed");
  expect(bd.calls().length - before).toBe(3);
});

test("a tick asks for one listing at most, and both are renewed in turn", async () => {
  const world = opened();
  await tick(world);
  for (let ticks = 1; ticks <= 4; ticks += 1) {
    world.clock.now += 10_000;
    const before = world.listings();
    await tick(world);
    expect(world.listings() - before).toBe(1);
  }
  expect(world.bd.calls().filter(([verb]) => verb === "ready")).toHaveLength(3);
});

test("what our own close makes ready shows at once, and what nothing waits for asks nothing", async () => {
  const waits = { id: "later", title: "later", dependencies: [{ depends_on_id: "b-1", type: "blocks" }] };
  const world = opened([...BEADS.slice(0, 3), waits]);
  await tick(world);
  await world.source.close("b-0", "done");
  const before = world.listings();
  expect(await world.ready()).toEqual(["b-1", "b-2"]);
  expect(world.listings()).toBe(before);
  await world.source.close("b-1", "done");
  expect(await world.ready()).toEqual(["b-2", "later"]);
});

test("a bead that we claimed is not ready any more, and is again once it was given back", async () => {
  const world = opened(BEADS.slice(0, 2));
  await tick(world);
  await world.source.claim("b-0", "me");
  expect(await world.ready()).toEqual(["b-1"]);
  await world.source.release("b-0");
  expect(await world.ready()).toEqual(["b-0", "b-1"]);
});

test("what somebody else did shows after a while, and a claim meets it at once", async () => {
  const world = opened(BEADS.slice(0, 2));
  await tick(world);
  const other = new BdSource(world.bd.folder);
  await other.claim("b-0", "you");
  expect(await world.source.claim("b-0", "me")).toBe("taken");
  await other.close("b-1", "by hand");
  world.clock.now += 10_000;
  await tick(world);
  expect(await world.ready()).toEqual([]);
  expect(await world.source.claim("b-1", "me")).toBe("gone");
});
