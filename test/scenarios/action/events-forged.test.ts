import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { ulid } from "../../../src/lib/ulid.js";
import { EventsWorld, expectGreen } from "../../support/action/events-world.js";
import { runStarted, slotDispatched, slotStarted } from "../../support/app/app-events.js";
import { LANDING, last, opens, tip } from "../../support/app/landing-stories.js";
import { longTest } from "../../support/long.js";

vi.setConfig({ testTimeout: 180_000 });

interface Given {
  readonly id: number;
  readonly events: readonly object[];
  readonly effect?: object;
}

/** What whoever may push can say of a comment: that an earlier run has decided this of its first command. */
function forge(world: EventsWorld, { id, events, effect }: Given): Promise<void> {
  const value = { kind: "append", events, done: true, said: "as you wish", ...(effect && { effect }) };
  const data = { key: `comment ${id}`, place: 0, value: JSON.stringify(value) };
  return world.app.record({ type: "app.kept", data });
}

test("a decision that somebody put into the ledger gives nobody's comment a power that it has not", async () => {
  const world = await EventsWorld.open(LANDING);
  const { pull, head } = await opens(world.app);
  const base = await tip(world.app);
  const data = { pull, branch: "main", base, head, method: "ff", allow_protected: false };
  const landing = [{ type: "pull.landing", bead: `pull-${pull}`, data }];
  const effect = { kind: "land", pull, branch: "main" };

  // Rita may read, and asks for nothing; maria may land, and asks for something else.
  for (const [login, text] of [
    ["rita", "/koryph land"],
    ["maria", "/koryph hold"],
  ] as const) {
    const { id, event } = await world.says(login, pull, text);
    await forge(world, { id, events: landing, effect });
    expectGreen(await world.runs(event));
    expect(last(world.app, pull), text).not.toContain("as you wish");
    expect(await tip(world.app), text).toBe(base);
  }
  expect(await world.types()).not.toHaveProperty("pull.landing");

  const drain = await world.says("walter", pull, "/koryph drain");
  await forge(world, { id: drain.id, events: [{ type: "control.drain", data: {} }] });
  expectGreen(await world.runs(drain.event));
  expect(last(world.app, pull)).toContain("not_permitted");
  expect(await world.types()).not.toHaveProperty("control.drain");
});

longTest(
  "the schedule leaves a comment alone that somebody edited in the second in which it was written",
  async () => {
    const world = await EventsWorld.open();
    const issue = await world.app.as("maria").opens("Sell shoes");
    expectGreen(await world.runs(world.schedule));
    const { id } = await world.says("maria", issue, "what a nice idea");
    await world.app.as("walter").edits(id, `/koryph hold gh-${issue} by maria`);
    const comment = world.app.comment(issue, id);
    if (comment !== undefined) comment.updatedAt = comment.createdAt;
    expectGreen(await world.runs(world.schedule));
    expect(world.app.replies(issue)).toEqual([]);
    expect(await world.types()).not.toHaveProperty("hold.placed");
  },
);

/** The last event of this type in the ledger, for somebody who changes a word of it. */
async function newestData(world: EventsWorld, type: string): Promise<Record<string, unknown>> {
  const lines = (await world.app.events()).map(({ line }) => JSON.parse(line));
  return lines.findLast((each) => each.type === type).data;
}

longTest("a number that somebody put into the ledger changes nobody's comment but koryph's own", async () => {
  const world = await EventsWorld.open();
  const issue = await world.app.as("maria").opens("Sell shoes");
  const bead = `gh-${issue}`;
  await world.app.record(runStarted(), slotDispatched(bead, "Sell shoes"), slotStarted(bead));
  const maria = (await world.says("maria", issue, "I think red ones sell best")).id;
  const comment = () => world.app.comment(issue, maria);
  expectGreen(await world.runs((await world.says("maria", issue, "/koryph nudge keep it short")).event));
  const { id: repository } = world.app.repository;
  const answered = await newestData(world, "app.answered");
  const beads = {
    kept: 0,
    issues: { [issue]: { at: Date.now(), comment: { id: maria, told: "", deleted: false } } },
  };
  const replies = [{ to: "comment 1", id: maria, rows: [{ text: "/koryph status", verb: "status" }] }];
  const kept = (key: string, value: object) =>
    ({ type: "app.kept", data: { key, place: 0, value: JSON.stringify(value) } }) as const;
  const asked = (await world.app.state()).requests[0]?.id ?? "";
  await world.app.record(
    { type: "app.answered", data: { ...answered, reply: maria } as never },
    kept(`beads ${repository}`, beads),
    kept(`replies ${repository} ${issue}`, replies),
    { type: "control.consumed", data: { request: asked, note: "delivered" } },
  );

  expectGreen(await world.runs(world.schedule));
  expectGreen(await world.runs((await world.says("maria", issue, "/koryph status")).event));

  expect(comment()?.body).toBe("I think red ones sell best");
  expect(comment()?.minimized ?? null).toBe(null);
  expect(world.app.replies(issue)[0]).toMatch(/nudge.*✅|✅.*nudge/s);
});

longTest("what cannot be read in the ledger counts as not there", async () => {
  const world = await EventsWorld.open(LANDING);
  const { pull } = await opens(world.app);
  const { id, event } = await world.says("maria", pull, "/koryph why");
  expectGreen(await world.runs(event));
  const { id: repository } = world.app.repository;
  const key = `comment ${id}`;
  const asked = { ...(await newestData(world, "app.answered")), reply: null };
  const job = {
    ...{ repository: { fullName: "team/shop", id: repository }, installation: 0, viaApp: null },
    ...{ thread: { number: pull, kind: "pull" }, author: { login: "maria", id: 1, type: "User" } },
    comment: { kind: "comment", id, url: "", createdAt: new Date().toISOString(), body: "" },
  };
  const owed = { job: JSON.stringify(job), rows: JSON.stringify([{ code: "looking" }]) };
  const kept = (name: string, place: number, value: string) =>
    ({ type: "app.kept", data: { key: name, place, value } }) as const;
  await world.app.record(
    { type: "app.answered", data: { ...asked, owed } as never },
    kept(key, -4, '[{"kind":"landed"}]'),
    kept(`beads ${repository}`, 0, "{"),
    kept(`replies ${repository} ${pull}`, 0, "null"),
  );
  expectGreen(await world.runs(world.schedule));
  expectGreen(await world.runs((await world.says("maria", pull, "/koryph why")).event));
  expect(world.app.replies(pull)).toHaveLength(2);
});

/** A thousand comments that nobody wrote, each taken and never answered. */
function flood(world: EventsWorld, from: number, at: string): Promise<void> {
  const event = (id: number) => {
    const data = { comment: `comment ${id}`, thread: 1, user: "x", run: 1, attempt: 1 };
    return { type: "app.took", at, data } as const;
  };
  return world.app.record(...Array.from({ length: 1_000 }, (_, index) => event(from + index)));
}

longTest(
  "forged comments that push real ones out of the memory have none answered twice, and keep none from an answer",
  async () => {
    const world = await EventsWorld.open();
    const issue = await world.app.as("maria").opens("Sell shoes");
    const status = () => world.says("maria", issue, "/koryph status");
    const first = await status();
    const run = await world.runs(first.event);
    expectGreen(run);
    const lost = await status();
    // GitHub's times are whole seconds.
    await flood(world, 900_000, new Date(Date.now() + 1_000).toISOString());
    await flood(world, 910_000, "9999-01-01T00:00:00.000Z");

    expectGreen(await world.runs(first.event, { again: run.run }));
    expectGreen(await world.runs(world.schedule));
    expect(world.app.replies(issue)).toEqual([expect.stringContaining("✅")]);
    // Its own run comes late, after another attempt that died.
    const late = await world.runs(lost.event, { attempt: 2 });
    expectGreen(late);
    expect(world.app.replies(issue).at(-1)).toContain("forgotten");

    // Those from a year that has not come are pushed out as well.
    await flood(world, 920_000, "not a time");
    const later = await status();
    expectGreen(await world.runs(later.event));
    expect(world.app.replies(issue)).toHaveLength(3);
    expect(world.app.replies(issue).at(-1)).toContain("✅");
    const sweep = await world.runs(world.schedule);
    expectGreen(sweep);
    expect(sweep.log).toContain("comments from before");
  },
);

/** What a command of the comment would be recorded under. */
function nameOf(world: EventsWorld, pull: number, comment: number, place = 0): string {
  const at = Date.parse(world.app.comment(pull, comment)?.createdAt ?? "");
  return ulid(at, createHash("sha256").update(`comment ${comment} ${place}`).digest());
}

longTest("a request whose name somebody has taken in advance is not believed to be there", async () => {
  const world = await EventsWorld.open(LANDING);
  const { pull, head } = await opens(world.app);
  const base = (await tip(world.app)) ?? "";
  const { id, event } = await world.says("maria", pull, `/koryph land ${head}`);
  const comment = world.app.comment(pull, id);
  const evidence = {
    ...{ url: `${world.sandbox.url}/team/shop/pull/${pull}#issuecomment-${id}`, source: `comment ${id}` },
    ...{ login: "maria", user_id: world.sandbox.world.user("maria")?.id ?? 0 },
    body_sha256: createHash("sha256")
      .update(comment?.body ?? "")
      .digest("hex"),
  };
  // Asked for with another method, in her name and with her comment as evidence.
  const data = { pull, branch: "main", base, head, method: "squash", allow_protected: false } as const;
  const forged = { type: "pull.landing", bead: `pull-${pull}`, data, evidence, actor: "@maria" } as const;
  await world.app.record({ ...forged, id: nameOf(world, pull, id) });

  expectGreen(await world.runs(event));
  expect(last(world.app, pull)).toMatch(/under_way.*--method squash/s);
  // The schedule does not believe it either.
  expectGreen(await world.runs(world.schedule));
  expect(await tip(world.app)).toBe(base);

  const hold = await world.says("maria", pull, "/koryph hold gh-1 wait");
  const name = nameOf(world, pull, hold.id);
  await world.app.record({ type: "app.kept", id: name, data: { key: "x", place: 0, value: "" } });
  expectGreen(await world.runs(hold.event));
  expect(last(world.app, pull)).toMatch(/❌.*event_taken/s);
  expect(last(world.app, pull)).toContain(name);
  expect(await world.types()).not.toHaveProperty("hold.placed");
});

longTest("a time that is none in a forged reply leaves later runs green", async () => {
  const world = await EventsWorld.open(LANDING);
  const { pull } = await opens(world.app);
  const { id, event } = await world.says("maria", pull, "/koryph status");
  expectGreen(await world.runs(event));
  const url = `${world.sandbox.url}/team/shop/pull/${pull}#issuecomment-${id}`;
  const job = {
    ...{ repository: { fullName: "team/shop", id: world.app.repository.id }, installation: 0, viaApp: null },
    ...{ thread: { number: pull, kind: "pull" }, author: { login: "maria", id: 1, type: "User" } },
    comment: { kind: "comment", id, url, createdAt: "soon", body: "" },
  };
  const row = {
    text: "/koryph why",
    verb: "why",
    code: "looking",
    said: "x",
    next: "",
    more: "",
    result: "queued",
  };
  const owed = { job: JSON.stringify(job), rows: JSON.stringify([row]) };
  await world.app.record({
    type: "app.answered",
    data: { comment: `comment ${id}`, reply: null, counts: "yes", owed },
  });
  const issue = await world.app.as("maria").opens("Sell shoes");
  for (let n = 0; n < 2; n += 1) {
    const later = await world.runs((await world.says("maria", issue, "/koryph status")).event);
    expectGreen(later);
  }
});
