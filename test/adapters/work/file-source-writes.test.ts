import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileSource, WORK_FILE } from "../../../src/adapters/work/file-source.js";
import { changeBead } from "../../../src/adapters/work/work-file-writer.js";
import { OutsideFault } from "../../../src/ports/outside-fault.js";
import { startScript } from "../../support/cli/node-script.js";
import { git } from "../../support/cli/project.js";
import { CLAIMS } from "../../support/core/claims.js";
import { LONG, longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

function write(root: string, content: string | Buffer): string {
  const path = join(root, WORK_FILE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

function folderWith(...lines: (object | string)[]): { root: string; path: string; source: FileSource } {
  const root = tempFolder();
  const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  return { root, path: write(root, text), source: new FileSource(root) };
}

function lines(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Every verb that writes, once. */
const VERBS: { verb: string; act: (source: FileSource, id: string) => Promise<unknown> }[] = [
  { verb: "claim", act: (source, id) => source.claim(id, "me") },
  { verb: "release", act: (source, id) => source.release(id) },
  { verb: "close", act: (source, id) => source.close(id, "landed") },
  { verb: "comment", act: (source, id) => source.comment(id, "hello", "k1") },
];

describe("claim", () => {
  test.each<{ name: string; bead: object; answer: string; after: object }>([
    ...CLAIMS,
    {
      name: "a bead that says nothing of its status is open",
      bead: {},
      answer: "claimed",
      after: { status: "in_progress", assignee: "me" },
    },
    {
      name: "an earlier assignee of an open bead is replaced",
      bead: { status: "open", assignee: "you" },
      answer: "claimed",
      after: { status: "in_progress", assignee: "me" },
    },
    {
      name: "what is in progress in nobody's name is taken",
      bead: { status: "in_progress" },
      answer: "taken",
      after: { status: "in_progress" },
    },
    {
      name: "a deleted bead is gone",
      bead: { status: "tombstone" },
      answer: "gone",
      after: { status: "tombstone" },
    },
  ])("$name", async ({ bead, answer, after }) => {
    const { source, path } = folderWith({ id: "a", title: "A", ...bead });
    expect(await source.claim("a", "me")).toBe(answer);
    expect(lines(path)).toEqual([{ id: "a", title: "A", ...after }]);
  });

  test("a bead that does not exist is gone", async () => {
    const { source } = folderWith({ id: "a", title: "A" });
    expect(await source.claim("b", "me")).toBe("gone");
  });

  test("the next read shows the claim", async () => {
    const { source } = folderWith({ id: "a", title: "A" }, { id: "b", title: "B" });
    await source.all();
    await source.claim("a", "me");
    expect((await source.ready()).map(({ id }) => id)).toEqual(["b"]);
  });
});

describe("release, close and comment", () => {
  test("a released bead is open and nobody's", async () => {
    const { source, path } = folderWith({ id: "a", title: "A", status: "in_progress", assignee: "me" });
    await source.release("a");
    expect(lines(path)).toMatchObject([{ status: "open", assignee: "" }]);
    expect(await source.claim("a", "you")).toBe("claimed");
  });

  test.each(["open", "closed", "blocked"])("releasing a bead that is %s changes nothing", async (status) => {
    const { source, path } = folderWith({ id: "a", title: "A", status, assignee: "you" });
    const before = statSync(path).ino;
    await source.release("a");
    expect(statSync(path).ino).toBe(before);
  });

  test("a closed bead has its reason and the time of its closing", async () => {
    const { source, path } = folderWith({ id: "a", title: "A", status: "in_progress", assignee: "me" });
    expect(await source.close("a", 'landed as "abc"\nby koryph')).toBe("closed");
    expect(lines(path)).toMatchObject([
      { status: "closed", assignee: "me", close_reason: 'landed as "abc"\nby koryph' },
    ]);
    expect(Date.parse(`${lines(path)[0]?.closed_at}`)).not.toBeNaN();
  });

  test("closing again keeps the first reason", async () => {
    const { source, path } = folderWith({ id: "a", title: "A" });
    await source.close("a", "first");
    expect(await source.close("a", "second")).toBe("closed");
    expect(lines(path)).toMatchObject([{ close_reason: "first" }]);
  });

  test("a comment is written once per key", async () => {
    const { source, path } = folderWith({ id: "a", title: "A" });
    await source.comment("a", "one", "run-1:a:1");
    await source.comment("a", "one, again", "run-1:a:1");
    await source.comment("a", "two", "run-1:a:2");
    expect(lines(path)[0]?.comments).toMatchObject([
      { text: "one", key: "run-1:a:1", author: "koryph" },
      { text: "two", key: "run-1:a:2", author: "koryph" },
    ]);
  });

  test.each([
    { name: "no list yet", comments: "null", kept: [] },
    { name: "an empty list", comments: "[ ]", kept: [] },
    { name: "a person's comments", comments: '[{"id":7,"text":"hi ]"}]', kept: [{ id: 7, text: "hi ]" }] },
  ])("a comment joins $name", async ({ comments, kept }) => {
    const { source, path } = folderWith(`{"id":"a","title":"A","comments":${comments}}`);
    await source.comment("a", "new", "k");
    expect(lines(path)[0]?.comments).toMatchObject([...kept, { text: "new" }]);
  });

  test("comments that are no list are left alone", async () => {
    const { source, path } = folderWith('{"id":"a","title":"A","comments":"none"}');
    await expect(source.comment("a", "new", "k")).rejects.toThrow("are not a list");
    expect(readFileSync(path, "utf8")).toBe('{"id":"a","title":"A","comments":"none"}\n');
  });

  test("a key that could break out of its place is a fault", async () => {
    const { source } = folderWith({ id: "a", title: "A" });
    await expect(source.comment("a", "x", "--> y")).rejects.toThrow("not a comment key");
  });

  test("closing and commenting on a bead that does not exist finds it gone", async () => {
    const { source } = folderWith({ id: "a", title: "A" });
    expect([await source.close("b", "x"), await source.comment("b", "x", "k")]).toEqual(["gone", "gone"]);
  });

  test.each(VERBS)("$verb renews updated_at where there is one, and adds none", async ({ act }) => {
    const old = "2020-01-01T00:00:00Z";
    const bead = { title: "T", status: "in_progress", assignee: "me" };
    const { source, path } = folderWith({ ...bead, id: "a", updated_at: old }, { ...bead, id: "b" });
    await source.release("a");
    await source.release("b");
    await act(source, "a");
    await act(source, "b");
    const [a, b] = lines(path);
    expect(a?.updated_at).not.toBe(old);
    expect(b).not.toHaveProperty("updated_at");
  });
});

describe("what is not asked for stays, byte for byte", () => {
  const odd = [
    '\uFEFF{"id":"first","title":"Ünïcödé 🙂"}\r',
    "",
    '  { "id" : "a" ,\t"title":"A","big":123456789012345678901234567890,"num":1.0e2,"status" : "open" ,"x":{"status":"inner","l":["}",{"]":1}]},"esc":"\\u0041\\"}" }  \r',
    '{"_type":"memory","text":"not a bead"}',
    '{"id":"last","title":"Z","status":"open"}',
  ];

  test("spacing, order, large numbers, nested and unknown fields of the changed line", async () => {
    const root = tempFolder();
    const path = write(root, odd.join("\n"));
    await new FileSource(root).claim("a", "me");
    const expected = odd.with(
      2,
      '  { "id" : "a" ,\t"title":"A","big":123456789012345678901234567890,"num":1.0e2,"status" : "in_progress" ,"x":{"status":"inner","l":["}",{"]":1}]},"esc":"\\u0041\\"}","assignee":"me" }  \r',
    );
    expect(readFileSync(path, "utf8")).toBe(expected.join("\n"));
  });

  test.each([
    { id: "first", index: 0 },
    { id: "a", index: 2 },
    { id: "last", index: 4 },
  ])("every line but $id's", async ({ id, index }) => {
    const root = tempFolder();
    const path = write(root, odd.join("\n"));
    const source = new FileSource(root);
    for (const { act } of VERBS) await act(source, id);
    const after = readFileSync(path, "utf8").split("\n");
    expect(after.with(index, "")).toEqual(odd.with(index, ""));
    expect(await source.get(id)).toMatchObject({ status: "closed" });
  });

  test("bytes that are no UTF-8, in other lines and in the changed one", async () => {
    const root = tempFolder();
    const bad = Buffer.from([0xff, 0xfe, 0xc3]);
    const line = (id: string) =>
      Buffer.concat([Buffer.from(`{"id":"${id}","title":"t`), bad, Buffer.from('"}\n')]);
    const path = write(root, Buffer.concat([line("a"), line("b")]));
    await new FileSource(root).claim("a", "Zoë");
    const changed = [
      Buffer.from('{"id":"a","title":"t'),
      bad,
      Buffer.from('","status":"in_progress","assignee":"Zoë"}\n'),
    ];
    expect(readFileSync(path).equals(Buffer.concat([...changed, line("b")]))).toBe(true);
  });

  test("of a repeated field the one that counts is changed", async () => {
    const { source, path } = folderWith('{"id":"a","title":"A","status":"closed","status":"open"}');
    expect(await source.claim("a", "me")).toBe("claimed");
    expect(lines(path)).toMatchObject([{ status: "in_progress" }]);
  });

  test.each([0o600, 0o640, 0o664])("the file's mode %o", async (mode) => {
    const { source, path } = folderWith({ id: "a", title: "A" });
    chmodSync(path, mode);
    await source.claim("a", "me");
    expect(statSync(path).mode & 0o7777).toBe(mode);
  });

  test("the folder: nothing is left beside the file", async () => {
    const { root, source } = folderWith({ id: "a", title: "A" });
    for (const { act } of VERBS) await act(source, "a");
    expect(readdirSync(join(root, ".koryph"))).toEqual(["beads.jsonl"]);
  });

  test.each(VERBS)("the file itself, when $verb is repeated", async ({ act }) => {
    const { source, path } = folderWith({ id: "a", title: "A", status: "in_progress", assignee: "you" });
    await source.release("a");
    await act(source, "a");
    const before = statSync(path, { bigint: true });
    await act(source, "a");
    expect(statSync(path, { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
  });

  test("what an editor saves in the middle of our write", async () => {
    const { root, path } = folderWith({ id: "a", title: "A" });
    let calls = 0;
    await changeBead(root, "a", () => {
      calls += 1;
      if (calls === 1) writeFileSync(path, '{"id":"a","title":"A, edited"}\n{"id":"b","title":"B"}\n');
      return { set: { status: '"blocked"' }, answer: null };
    });
    expect(calls).toBe(2);
    expect(lines(path)).toEqual([
      { id: "a", title: "A, edited", status: "blocked" },
      { id: "b", title: "B" },
    ]);
  });
});

describe("refusals change nothing", () => {
  test.each(VERBS)("$verb on a file with one malformed line", async ({ act }) => {
    const { root, path, source } = folderWith({ id: "a", title: "A", status: "in_progress" }, '{"id":"b",}');
    const before = readFileSync(path);
    await expect(act(source, "a")).rejects.toThrow(`${path}:2: not JSON`);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(join(root, ".koryph"))).toEqual(["beads.jsonl"]);
  });

  test.each(VERBS)("$verb on a tracked file", async ({ act }) => {
    const { root, path, source } = folderWith({ id: "a", title: "A" });
    git(root, "init", "--quiet");
    git(root, "add", "--force", WORK_FILE);
    const before = readFileSync(path);
    const refused = act(source, "a");
    await expect(refused).rejects.toThrow("is tracked by git");
    await expect(refused).rejects.toBeInstanceOf(OutsideFault);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each(VERBS)("$verb without a work file", async ({ act }) => {
    const root = tempFolder();
    await expect(act(new FileSource(root), "a")).rejects.toThrow("was not found");
    expect(readdirSync(root)).toEqual([]);
  });

  test.each(VERBS)("$verb through a .koryph that is a link", async ({ act }) => {
    const outside = folderWith({ id: "a", title: "A", status: "in_progress" });
    const root = tempFolder();
    symlinkSync(join(outside.root, ".koryph"), join(root, ".koryph"));
    const before = readFileSync(outside.path);
    await expect(act(new FileSource(root), "a")).rejects.toThrow(".koryph is a link");
    expect(readFileSync(outside.path).equals(before)).toBe(true);
    expect(readdirSync(dirname(outside.path))).toEqual(["beads.jsonl"]);
  });

  test.each(VERBS)("$verb through a work file that is a link, also inside the checkout", async ({ act }) => {
    const { root, path, source } = folderWith({ id: "a", title: "A", status: "in_progress" });
    renameSync(path, join(root, "backlog.jsonl"));
    symlinkSync("../backlog.jsonl", path);
    await expect(act(source, "a")).rejects.toThrow("beads.jsonl is a link");
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(lines(join(root, "backlog.jsonl"))).toEqual([{ id: "a", title: "A", status: "in_progress" }]);
    expect(readdirSync(join(root, ".koryph"))).toEqual(["beads.jsonl"]);
  });

  test("a draft planted as a link leads nowhere", async () => {
    const { root, path, source } = folderWith({ id: "a", title: "A" });
    writeFileSync(join(root, "victim"), "precious");
    symlinkSync(join(root, "victim"), `${path}.new`);
    expect(await source.claim("a", "me")).toBe("claimed");
    expect(readFileSync(join(root, "victim"), "utf8")).toBe("precious");
  });
});

describe("several writers", () => {
  const claimAll = `
    const { FileSource } = await built("adapters/work/file-source.js");
    const [root, who, ...ids] = args;
    const source = new FileSource(root);
    console.log("ready");
    for (const id of ids) console.log(id + " " + (await source.claim(id, who)));`;

  test("of two processes that claim the same beads each bead goes to one", async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `b-${index}`);
    const { root, path } = folderWith(...ids.map((id) => ({ id, title: id })));
    const one = startScript(claimAll, root, "one", ...ids);
    const two = startScript(claimAll, root, "two", ...ids.toReversed());
    await Promise.all([one.line(), two.line()]);
    const answers = [...(await one.rest()), ...(await two.rest())];
    const counts = ids.map((id) => answers.filter((line) => line === `${id} claimed`).length);
    expect(counts).toEqual(ids.map(() => 1));
    expect(answers.filter((line) => line.endsWith(" taken"))).toHaveLength(ids.length);
    expect(lines(path).map(({ id, status }) => [id, status])).toEqual(ids.map((id) => [id, "in_progress"]));
    expect(readdirSync(join(root, ".koryph"))).toEqual(["beads.jsonl"]);
  });

  test("many claims at once in one process lose nothing", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `b-${index}`);
    const { path, source } = folderWith(...ids.map((id) => ({ id, title: id })));
    await Promise.all(ids.map((id) => source.claim(id, "me")));
    expect(lines(path).map(({ status }) => status)).toEqual(ids.map(() => "in_progress"));
  });

  longTest("a writer killed at any moment leaves a whole file, and the next one goes on", async () => {
    const { root, path, source } = folderWith({ id: "a", title: "A" }, { id: "b", title: "B", mark: 1 });
    for (let round = 0; round < (LONG ? 6 : 2); round += 1) {
      const writer = startScript(
        `const { FileSource } = await built("adapters/work/file-source.js");
         const source = new FileSource(args[0]);
         for (;;) { await source.claim("a", "me"); await source.release("a"); console.log("turn"); }`,
        root,
      );
      for (let turn = 0; turn <= round; turn += 1) await writer.line();
      await writer.kill();
      expect(lines(path)).toMatchObject([{ id: "a" }, { id: "b", mark: 1 }]);
      await source.release("a");
      expect(await source.claim("a", "survivor")).toBe("claimed");
      await source.release("a");
    }
    expect(readdirSync(join(root, ".koryph")).filter((name) => name.includes(".lock.after"))).toEqual([]);
  });
});
