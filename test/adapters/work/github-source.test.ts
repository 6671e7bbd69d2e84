import { describe, expect } from "vitest";
import type { Bead } from "../../../src/core/model/bead.js";
import { statusMarker } from "../../../src/core/replies/land/pull/status-comment.js";
import { OutsideFault } from "../../../src/ports/outside-fault.js";
import { CLAIMANT, issueStories, RELEASE } from "../../support/app/issue-stories.js";
import { peopleTest } from "../../support/app/sandbox-people.js";

const ids = (beads: readonly Bead[]) => beads.map(({ id }) => id);
const why = (bead: Bead | null | undefined) =>
  bead?.release?.kind === "withheld" ? bead.release.why.code : bead?.release?.kind;

describe("reading", () => {
  peopleTest("an epic, its parts, and what waits for what", async (lab) => {
    const { source, file } = await issueStories(lab);
    const epic = await file({ title: "Shop" }, { by: null });
    const first = await file({ title: "Shoes", body: "Sell them.\n\n- [ ] sold" });
    const second = await file({ title: "Socks", body: "Blocked by #2" });
    const third = await file({ title: "Hats" });
    await file({ title: "Talk" }, { by: null });
    const id = async (number: number) => (await lab.get("bob", `/issues/${number}`)).id;
    for (const part of [first, second])
      await lab.ask("bob", "POST", `/issues/${epic}/sub_issues`, { sub_issue_id: await id(part) });
    await lab.ask("bob", "POST", `/issues/${third}/dependencies/blocked_by`, { issue_id: await id(second) });
    await lab.ask("bob", "POST", `/issues/${first}/labels`, { labels: ["P1", "Area:shop", "bug"] });

    const all = await source.all();
    expect(ids(all)).toEqual(["gh-1", "gh-2", "gh-3", "gh-4"]);
    expect(all[0]).toMatchObject({
      type: "epic",
      title: "Shop",
      release: { why: { code: "no_release_label" } },
    });
    expect(all[1]).toMatchObject({
      ...{ parent: "gh-1", priority: 1, type: "bug", description: "Sell them.\n\n- [ ] sold" },
      ...{ acceptance: "- [ ] sold", labels: [RELEASE, "P1", "area:shop", "bug"] },
      release: { kind: "released", by: "bob" },
    });
    expect([all[2]?.blockers, all[3]?.blockers]).toEqual([["gh-2"], ["gh-3"]]);
    expect(ids(await source.ready({ parent: "gh-1" }))).toEqual(["gh-2"]);
    expect(ids(await source.ready())).toEqual(["gh-1", "gh-2"]);
    expect(ids(await source.children("gh-1"))).toEqual(["gh-2", "gh-3"]);
    expect(await source.get("gh-5")).toMatchObject({ title: "Talk", description: "" });
    expect([await source.get("gh-99"), await source.get("b-1")]).toEqual([null, null]);
  });

  peopleTest("a blocker that is closed, a pull request, or nowhere", async (lab) => {
    const { source, file } = await issueStories(lab);
    const closed = await file({}, { by: null });
    await lab.ask("bob", "PATCH", `/issues/${closed}`, { state: "closed" });
    const pull = await lab.openPull();
    const free = await file({ body: `Blocked by #${closed}` });
    const behind = await file({ body: `Blocked by #${pull}` });
    const lost = await file({ body: "Blocked by #777" });

    expect(ids(await source.ready())).toEqual([`gh-${free}`]);
    const all = await source.all();
    expect(all.find(({ id }) => id === `gh-${pull}`)).toMatchObject({
      type: "merge-request",
      status: "in_review",
    });
    expect(all.find(({ id }) => id === `gh-${lost}`)?.blockers).toEqual(["gh-777"]);

    await lab.ask("alice", "PATCH", `/pulls/${pull}`, { state: "closed" });
    expect(ids(await source.ready())).not.toContain(`gh-${behind}`);
    await source.release(`gh-${behind}`);
    expect(ids(await source.ready())).toEqual([`gh-${free}`, `gh-${behind}`]);
  });

  peopleTest("several pages, each once; then what changed, or nothing", async (lab) => {
    const { source, file, asked, pass } = await issueStories(lab);
    for (let count = 0; count < 120; count += 1) await file({ title: `Talk ${count}` }, { by: null });
    const work = await file({});
    expect(ids(await source.all())).toEqual([`gh-${work}`]);
    expect(asked().filter((each) => each.startsWith("issues/list-for-repo"))).toHaveLength(3);

    expect(await source.ready()).toHaveLength(1);
    expect(asked()).toEqual([]);

    pass(61);
    await source.all();
    pass(61);
    await source.all();
    const calm = asked().filter((each) => !each.startsWith("repos/get-collaborator"));
    expect(calm).toEqual(["issues/list-for-repo 200", "issues/list-for-repo 304"]);

    await lab.ask("bob", "PATCH", `/issues/${work}`, { title: "Work, please" });
    pass(61);
    expect((await source.all())[0]).toMatchObject({ title: "Work, please", release: { kind: "released" } });
  });

  peopleTest("an issue that is closed, opened again, deleted or moved by hand", async (lab) => {
    const { source, file, pass } = await issueStories(lab);
    const [one, two] = [await file({}), await file({})];
    expect(ids(await source.ready())).toEqual([`gh-${one}`, `gh-${two}`]);
    await lab.ask("bob", "PATCH", `/issues/${one}`, { state: "closed" });
    pass(61);
    expect(ids(await source.ready())).toEqual([`gh-${two}`]);
    expect(await source.claim(`gh-${one}`, CLAIMANT)).toBe("gone");
    await lab.ask("bob", "PATCH", `/issues/${one}`, { state: "open" });
    pass(61);
    expect(ids(await source.ready())).toEqual([`gh-${one}`, `gh-${two}`]);

    const repository = lab.sandbox.world.repository(lab.repo);
    if (repository === null) throw new Error("no repository");
    repository.issues = repository.issues.filter(({ number }) => number !== two);
    expect(await source.claim(`gh-${two}`, CLAIMANT)).toBe("gone");
    pass(601);
    expect(ids(await source.all())).toEqual([`gh-${one}`]);
    expect(await source.close(`gh-${two}`, "landed")).toBe("gone");
  });
});

describe("the release", () => {
  peopleTest("is judged by who gave it and what was written since", async (lab) => {
    const { source, file, issue, pass } = await issueStories(lab);
    const good = await file({ body: "Sell." });
    const template = await file({ body: "Sell." });
    const edited = await file({ body: "Sell." });
    const renamed = await file({ body: "Sell." });
    const mended = await file({ body: "Sell." });
    const none = await file({ body: `Blocked by #${good}` }, { by: null });
    // As a template does it: the label is there from the start, in the name of whoever opened the issue.
    for (const event of issue(template).events) Object.assign(event, { actor: "mallory" });
    await lab.ask("mallory", "PATCH", `/issues/${edited}`, { body: "Give it away." });
    await lab.ask("mallory", "PATCH", `/issues/${renamed}`, { title: "Give it away" });
    await lab.ask("alice", "PATCH", `/issues/${mended}`, { title: "Sell dear", body: "Sell dear." });

    const found = new Map((await source.all()).map((bead) => [bead.id as string, bead]));
    const verdicts = [good, template, edited, renamed, mended].map((number) =>
      why(found.get(`gh-${number}`)),
    );
    expect(verdicts).toEqual(["released", "releaser_may_not", "edited_since", "edited_since", "released"]);
    expect(found.get(`gh-${edited}`)).toMatchObject({ description: "", acceptance: "" });
    expect(found.get(`gh-${mended}`)).toMatchObject({ title: "Sell dear", description: "Sell dear." });
    expect(why(await source.get(`gh-${none}`))).toBe("no_release_label");

    pass(1);
    await lab.ask("bob", "DELETE", `/issues/${edited}/labels/${RELEASE}`);
    await lab.ask("bob", "POST", `/issues/${edited}/labels`, { labels: [RELEASE] });
    expect(why(await source.get(`gh-${edited}`))).toBe("released");

    lab.sandbox.setRole(lab.repo, "bob", "read");
    pass(61);
    expect(why(await source.get(`gh-${good}`))).toBe("releaser_may_not");
  });

  peopleTest("a claim sees what was changed a moment ago, and then so does the list", async (lab) => {
    const { source, file, issue } = await issueStories(lab);
    const number = await file({ body: "Sell." });
    expect(why((await source.all())[0])).toBe("released");
    await lab.ask("mallory", "PATCH", `/issues/${number}`, { body: "Give it away." });
    expect(why((await source.all())[0])).toBe("released");

    expect(await source.claim(`gh-${number}`, CLAIMANT)).toBe("unreleased");
    expect(issue(number).labels).toEqual([RELEASE]);
    expect(why((await source.all())[0])).toBe("edited_since");
  });

  peopleTest("is found behind more than a hundred later events", async (lab) => {
    const { source, file, issue } = await issueStories(lab);
    const number = await file({});
    const { events } = issue(number);
    const [last] = events;
    if (last === undefined) throw new Error("no event");
    for (let id = 1; id <= 120; id += 1)
      events.push({ ...last, id: 1_000_000 + id, detail: { label: { name: "bug", color: "ededed" } } });
    await lab.ask("bob", "POST", `/issues/${number}/labels`, { labels: ["bug"] });
    expect(why((await source.all())[0])).toBe("released");
  });
});

describe("what koryph does is shown", () => {
  peopleTest("taken, blocked, given back, closed: labels, and one comment", async (lab) => {
    const { source, other, file, issue, said, pass } = await issueStories(lab);
    const number = await file({ body: "Sell." });
    const id = `gh-${number}`;
    const labels = () => issue(number).labels.filter((label) => label !== RELEASE);

    expect(await source.claim(id, CLAIMANT)).toBe("claimed");
    expect(labels()).toEqual(["koryph:in-progress"]);
    expect(await source.get(id)).toMatchObject({
      status: "in_progress",
      assignee: CLAIMANT,
      description: "Sell.",
    });
    expect(await source.ready()).toEqual([]);
    expect(await source.claim(id, CLAIMANT)).toBe("claimed");
    expect(await other().claim(id, "koryph other")).toBe("taken");

    expect(await source.show(id, { kind: "at-work", text: "At work." })).toBe("shown");
    await source.show(id, { kind: "at-work", text: "At work." });
    await source.show(id, { kind: "blocked", text: "Stuck." });
    expect(labels()).toEqual(["koryph:blocked"]);
    expect(await source.all()).toMatchObject([{ status: "in_progress", assignee: CLAIMANT }]);
    expect(said(number)).toEqual([`${statusMarker(number)}\nStuck.`]);

    await source.release(id);
    expect(labels()).toEqual([]);
    expect(await source.all()).toMatchObject([{ status: "open", assignee: "" }]);

    pass(61);
    const next = other();
    expect(await next.claim(id, CLAIMANT)).toBe("claimed");
    expect(await next.close(id, "landed: 0123abc")).toBe("closed");
    expect(await next.close(id, "landed: 4567def")).toBe("closed");
    expect(issue(number)).toMatchObject({ state: "closed", stateReason: "completed" });
    expect(labels()).toEqual([]);
    expect(said(number)).toHaveLength(1);
    expect(said(number)[0]).toContain("4567def");
    expect(await next.all()).toMatchObject([{ status: "closed" }]);
  });

  peopleTest("the App's comment is edited; a stranger's is not taken for one", async (lab) => {
    const { source, file, said } = await issueStories(lab);
    const number = await file({});
    const comments = `/issues/${number}/comments`;
    await lab.ask("mallory", "POST", comments, { body: `${statusMarker(number)}\nAll is lost.` });
    await lab.ask("app", "POST", comments, { body: `${statusMarker(number)}\nFrom the App.` });
    await source.show(`gh-${number}`, { kind: "at-work", text: "At work." });
    expect(said(number)).toEqual([
      `${statusMarker(number)}\nAll is lost.`,
      `${statusMarker(number)}\nAt work.`,
    ]);
  });

  peopleTest(
    "a comment that somebody deleted is not written again, and a locked issue gets none",
    async (lab) => {
      const { source, file, issue, said } = await issueStories(lab);
      const number = await file({});
      await source.show(`gh-${number}`, { kind: "at-work", text: "At work." });
      issue(number).comments = [];
      await source.show(`gh-${number}`, { kind: "waits", text: "Done." });
      await source.show(`gh-${number}`, { kind: "waits", text: "Done, really." });
      expect(said(number)).toEqual([]);
    },
  );
});

describe("when GitHub is in trouble", () => {
  peopleTest("a comment that it took without saying so is found again", async (lab) => {
    const { source, file, said } = await issueStories(lab);
    const number = await file({});
    await source.all();
    lab.sandbox.faults.add({
      operation: "issues/create-comment",
      kind: { applyThen: 502 },
      times: 1,
    });
    await expect(source.show(`gh-${number}`, { kind: "at-work", text: "At work." })).rejects.toThrow();
    await source.show(`gh-${number}`, { kind: "at-work", text: "At work." });
    expect(said(number)).toHaveLength(1);
  });

  peopleTest("the last list is given out for a while, and claims wait", async (lab) => {
    const { source, file, pass, issue } = await issueStories(lab);
    const number = await file({});
    expect(await source.ready()).toHaveLength(1);
    pass(61);
    lab.sandbox.faults.add({ operation: "*", kind: { status: 502 }, times: 3 });
    expect(ids(await source.ready())).toEqual([`gh-${number}`]);
    await expect(source.claim(`gh-${number}`, CLAIMANT)).rejects.toBeInstanceOf(OutsideFault);
    expect(issue(number).labels).toEqual([RELEASE]);
    lab.sandbox.faults.clear();
    expect(await source.claim(`gh-${number}`, CLAIMANT)).toBe("claimed");
  });

  peopleTest("without an earlier list, and after long enough, it is said", async (lab) => {
    const { source, other, file, pass } = await issueStories(lab);
    await file({});
    await source.all();
    pass(601);
    lab.sandbox.faults.add({ operation: "*", kind: { status: 403, secondary: true }, times: 20 });
    await expect(source.all()).rejects.toBeInstanceOf(OutsideFault);
    await expect(other().all()).rejects.toBeInstanceOf(OutsideFault);
    lab.sandbox.faults.clear();
    expect(await source.all()).toHaveLength(1);
  });

  peopleTest("a token that sees or may too little is named", async (lab) => {
    const { file, as, issue } = await issueStories(lab);
    const number = await file({});
    await expect((await as("alice", "you/nowhere")).all()).rejects.toThrow(/does not see the repository/);
    const theirs = await as("mallory");
    await expect(theirs.claim(`gh-${number}`, CLAIMANT)).rejects.toThrow(/may not ask who may triage/);
    expect(issue(number).labels).toEqual([RELEASE]);
  });
});
