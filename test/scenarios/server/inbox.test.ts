import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommanderError } from "commander";
import { beforeEach, expect, test, vi } from "vitest";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { SqlInbox } from "../../../src/adapters/store/sql-inbox.js";
import { buildProgram } from "../../../src/cli/program.js";
import { PLAIN } from "../../../src/lib/paint.js";
import { newJob, testStore } from "../../support/app/store.js";
import { tempFolder } from "../../support/temp-folder.js";

let home = "";

beforeEach(() => {
  home = join(tempFolder(), "home");
  vi.stubEnv("KORYPH_HOME", home);
  return () => vi.unstubAllEnvs();
});

/** `koryph inbox …` as the surface wires it, with what it prints. */
async function koryphInbox(...args: string[]): Promise<{ out: string; code: number }> {
  const said = { out: "", code: 0 };
  const terminal = {
    out: (line: string) => {
      said.out += `${line}\n`;
    },
    err: () => {},
    paint: PLAIN,
  };
  const { program } = buildProgram(terminal, (code) => Object.assign(said, { code }));
  await program.parseAsync(["inbox", ...args], { from: "user" });
  return said;
}

/** A server at work: one job in hand, one given up, one that waits for its second try, one behind another. */
async function busyServer() {
  const now = Date.now();
  const inbox = new SqlInbox(await testStore(new KoryphHome(home).appStore), () => now - 180_000);
  const take = async () => {
    const job = await inbox.take("intake", now);
    if (job === null) throw new Error("nothing was taken");
    return job;
  };
  await inbox.add(newJob("dead", { key: "o/r#1" }));
  await inbox.bury(await take(), "no such issue");
  await inbox.add(newJob("aside", { key: "o/r#2" }));
  await inbox.postpone(await take(), now + 3_600_000, "GitHub was away");
  await inbox.add(newJob("held", { key: "o/r#3" }));
  await take();
  await inbox.add(newJob("behind", { key: "o/r#3" }));
  await inbox.add(newJob("work", { lane: "work", key: "evil\u001b[2J" }));
  return inbox;
}

test("the list shows what waits, what is in hand and what was given up", async () => {
  await busyServer();
  const { out } = await koryphInbox("list");
  expect(out).toMatchInlineSnapshot(`
    "3 waiting, 1 in hand, 1 given up
    dead    intake  given up after 1 try      o/r#1     issue_comment  3 min ago  no such issue
    aside   intake  waiting, try 2 in 60 min  o/r#2     issue_comment  3 min ago  GitHub was away
    held    intake  in hand, try 1            o/r#3     issue_comment  3 min ago
    behind  intake  waiting                   o/r#3     issue_comment  3 min ago
    work    work    waiting                   evil�[2J  issue_comment  3 min ago

    koryph inbox retry <id> tries one again, --all-dead all of them
    "
  `);
});

test("the list can be of one lane, or of what was given up", async () => {
  await busyServer();
  const ids = async (...args: string[]) =>
    JSON.parse((await koryphInbox("list", "--json", ...args)).out).jobs.map(({ id }: { id: string }) => id);
  expect(await ids()).toEqual(["dead", "aside", "held", "behind", "work"]);
  expect(await ids("--dead")).toEqual(["dead"]);
  expect(await ids("--lane", "work")).toEqual(["work"]);
  expect((await koryphInbox("list", "--lane", "work")).out).toMatch(
    /^1 waiting, 0 in hand, 0 given up\nwork /,
  );
});

test("the JSON is what docs/json.md promises", async () => {
  await busyServer();
  const [dead, aside] = JSON.parse((await koryphInbox("list", "--json")).out).jobs;
  expect(dead).toEqual({
    id: "dead",
    name: "issue_comment",
    lane: "intake",
    key: "o/r#1",
    state: "dead",
    received_at: expect.stringMatching(/^\d{4}-.*Z$/),
    attempts: 1,
    not_before: null,
    error: "no such issue",
  });
  expect(aside).toMatchObject({ state: "waiting", not_before: expect.stringMatching(/Z$/) });
});

test("retry brings back what was given up, beside a running server, and is on record", async () => {
  const inbox = await busyServer();
  expect(await koryphInbox("retry", "dead", "aside", "dead")).toEqual({
    out: "dead: will be tried again\naside: will be tried again\n",
    code: 0,
  });
  expect((await inbox.take("intake", Date.now()))?.id).toBe("dead");
  expect((await inbox.take("intake", Date.now()))?.id).toBe("aside");
  expect(JSON.parse(readFileSync(join(home, "audit.jsonl"), "utf8"))).toMatchObject({
    kind: "inbox.retry",
    detail: { ids: ["dead", "aside"] },
  });
});

test("retry of all that was given up", async () => {
  await busyServer();
  expect(JSON.parse((await koryphInbox("retry", "--all-dead", "--json")).out)).toEqual({
    jobs: [{ id: "dead", answer: "rearmed" }],
  });
  expect((await koryphInbox("retry", "--all-dead")).out).toBe("nothing was given up\n");
});

test("a job of our own is shown by one word, which retry takes, and so does its name as it is stored", async () => {
  const inbox = new SqlInbox(await testStore(new KoryphHome(home).appStore));
  const id = "koryph.link comment 1150";
  const bury = async () => {
    const job = await inbox.take("work", Date.now());
    if (job === null) throw new Error("nothing was taken");
    await inbox.bury(job, "no answer");
  };
  await inbox.add(newJob(id, { lane: "work", key: id, name: "koryph.link" }));
  await bury();
  const { out } = await koryphInbox("list");
  expect(out).not.toContain(id);
  expect(out.match(/comment\S*1150/g)).toEqual(["comment/1150"]);
  const [shown = ""] = /^koryph\.link\S+/m.exec(out) ?? [];
  expect(await koryphInbox("retry", shown)).toEqual({ out: `${shown}: will be tried again\n`, code: 0 });
  await bury();
  expect((await koryphInbox("retry", id)).code).toBe(0);
  await bury();
  expect((await koryphInbox("retry", "--all-dead")).out).toBe(`${shown}: will be tried again\n`);
  const [first] = readFileSync(join(home, "audit.jsonl"), "utf8").split("\n");
  expect(JSON.parse(first ?? "")).toMatchObject({ detail: { ids: [id] } });
});

test("what cannot be tried again is told, and the exit code is 1", async () => {
  await busyServer();
  expect(await koryphInbox("retry", "held", "nobody")).toEqual({
    out: "held: is in hand right now\nnobody: there is no such job\n",
    code: 1,
  });
});

test("without a store it says where it looked, and makes nothing", async () => {
  await expect(koryphInbox("list")).rejects.toThrow(`there is no inbox here: ${home}/app/koryph.db`);
  expect(existsSync(home)).toBe(false);
});

test.each([
  { name: "neither ids nor --all-dead", args: ["retry"] },
  { name: "both", args: ["retry", "a", "--all-dead"] },
  { name: "a lane that is none", args: ["list", "--lane", "fast"] },
])("$name is a usage error", async ({ args }) => {
  await expect(koryphInbox(...args)).rejects.toBeInstanceOf(CommanderError);
});
