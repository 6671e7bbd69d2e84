import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { Registry } from "../../../src/adapters/home/registry.js";
import { startScript } from "../../support/cli/node-script.js";
import { git, project } from "../../support/cli/project.js";
import { longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

afterEach(() => void vi.unstubAllEnvs());

function setup() {
  const home = new KoryphHome(join(tempFolder(), "home"));
  const folder = home.registryFolder;
  return {
    home,
    folder,
    registry: new Registry(home),
    subjects: () => git(folder, "log", "--format=%s").trimEnd().split("\n"),
    ids: async () => (await new Registry(home).list()).entries.map(({ id }) => id),
  };
}

const remote = "https://github.com/o/shop.git";

describe("registering", () => {
  test("a project is there with its place, remote and time", async () => {
    const { registry, folder, home } = setup();
    const root = project();
    expect(await registry.register({ id: "shop", root, remote })).toBe("added");
    expect((await registry.list()).entries).toEqual([
      { id: "shop", root, remote, registered_at: expect.stringMatching(/^\d{4}-.*Z$/), last_run: null },
    ]);
    expect(statSync(join(folder, "shop.json")).mode & 0o777).toBe(0o600);
    expect(statSync(home.path).mode & 0o777).toBe(0o700);
  });

  test("the same again changes nothing and is no commit", async () => {
    const { registry, subjects } = setup();
    const root = project();
    await registry.register({ id: "shop", root, remote });
    expect(await registry.register({ id: "shop", root, remote })).toBe("unchanged");
    expect(subjects()).toEqual(["register shop"]);
  });

  test("the same place by another path is the same place", async () => {
    const { registry } = setup();
    const root = project();
    const other = join(tempFolder(), "link");
    symlinkSync(root, other);
    await registry.register({ id: "shop", root, remote });
    expect(await registry.register({ id: "shop", root: other, remote })).toBe("unchanged");
  });

  test("a new remote is noted", async () => {
    const { registry, subjects } = setup();
    const root = project();
    await registry.register({ id: "shop", root, remote: null });
    expect(await registry.register({ id: "shop", root, remote })).toBe("changed");
    expect(subjects()).toEqual(["change shop", "register shop"]);
  });

  test("a password in the remote's address is not kept", async () => {
    const { registry, folder } = setup();
    await registry.register({
      id: "shop",
      root: project(),
      remote: "https://me:hunter2@github.com/o/shop.git",
    });
    expect(git(folder, "log", "-p")).not.toContain("hunter2");
    expect(await registry.find("shop")).toMatchObject({ remote });
  });

  test("the same id at another place is refused while the first is there, and nothing changes", async () => {
    const { registry, subjects } = setup();
    const [first, second] = [project(), project()];
    await registry.register({ id: "shop", root: first, remote });
    await expect(registry.register({ id: "shop", root: second, remote })).rejects.toThrow(
      `project shop is registered at ${first}, so ${second} cannot have the same id`,
    );
    expect(await registry.find("shop")).toMatchObject({ root: first });
    expect(subjects()).toEqual(["register shop"]);
  });

  test.each<{ name: string; leave: (root: string) => void }>([
    { name: "was moved", leave: (root) => renameSync(root, `${root}-new`) },
    { name: "is no project any more", leave: (root) => rmSync(join(root, "koryph.project.json")) },
    {
      name: "is another project now",
      leave: (root) => writeFileSync(join(root, "koryph.project.json"), '{"project_id":"other"}'),
    },
  ])("a project whose first place $name has moved, and keeps its history", async ({ leave }) => {
    const { registry } = setup();
    const first = join(tempFolder(), "first");
    renameSync(project(), first);
    const second = project();
    await registry.register({ id: "shop", root: first, remote }, RUN);
    leave(first);
    expect(await registry.register({ id: "shop", root: second, remote })).toBe("moved");
    expect(await registry.find("shop")).toMatchObject({ root: second, last_run: { id: "run-1" } });
  });

  test("a project file that cannot be understood still holds its place", async () => {
    const { registry } = setup();
    const first = project();
    await registry.register({ id: "shop", root: first, remote });
    writeFileSync(join(first, "koryph.project.json"), "{ half");
    await expect(registry.register({ id: "shop", root: project(), remote })).rejects.toThrow(
      "is registered at",
    );
  });
});

describe("removing", () => {
  test("forgets the project and keeps its state and checkout", async () => {
    const { registry, home, ids } = setup();
    const root = project();
    await registry.register({ id: "shop", root, remote });
    mkdirSync(home.repository("shop"), { recursive: true });
    expect(await registry.remove("shop")).toBe("removed");
    expect(await ids()).toEqual([]);
    expect([existsSync(home.repository("shop")), existsSync(root)]).toEqual([true, true]);
  });

  test("again, or something unknown, is absent", async () => {
    const { registry } = setup();
    expect(await registry.remove("shop")).toBe("absent");
    expect(await registry.remove("../../etc/passwd")).toBe("absent");
  });

  test("git revert brings it back as it was", async () => {
    const { registry, folder, ids } = setup();
    await registry.register({ id: "shop", root: project(), remote });
    await registry.register({ id: "docs", root: project(), remote: null });
    const before = await registry.find("shop");
    await registry.remove("shop");
    git(folder, "revert", "--no-edit", "HEAD");
    expect(await registry.find("shop")).toEqual(before);
    expect(await ids()).toEqual(["docs", "shop"]);
  });
});

const RUN = { id: "run-1", at: "2026-01-01T00:00:00.000Z" };

describe("history", () => {
  test("each change is one commit of one file, and the folder is clean after it", async () => {
    const { registry, folder, subjects } = setup();
    const root = project();
    await registry.register({ id: "shop", root, remote });
    await registry.register({ id: "shop", root, remote }, RUN);
    await registry.register({ id: "docs", root: project(), remote });
    await registry.remove("shop");
    expect(subjects()).toEqual(["remove shop", "register docs", "run shop", "register shop"]);
    expect(git(folder, "log", "--format=", "--name-only").trim().split("\n")).toEqual([
      "shop.json",
      "docs.json",
      "shop.json",
      "shop.json",
    ]);
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  test("what a killed process left unrecorded gets a commit of its own", async () => {
    const { registry, folder, subjects } = setup();
    await registry.register({ id: "shop", root: project(), remote });
    const entry = JSON.parse(readFileSync(join(folder, "shop.json"), "utf8"));
    writeFileSync(join(folder, "left.json"), JSON.stringify({ ...entry, id: "left" }));
    writeFileSync(join(folder, "half.json.new"), "{");
    await registry.register({ id: "docs", root: project(), remote });
    expect(subjects()).toEqual(["register docs", "record changes found", "register shop"]);
    expect(git(folder, "ls-files").trim().split("\n")).toEqual(["docs.json", "left.json", "shop.json"]);
  });

  test("a git lock left by a machine that went down does not stop the registry for ever", async () => {
    const { registry, folder, subjects } = setup();
    await registry.register({ id: "shop", root: project(), remote });
    const lock = join(folder, ".git", "index.lock");
    writeFileSync(lock, "");
    const docs = { id: "docs", root: project(), remote };
    await expect(registry.register(docs)).rejects.toThrow("index.lock");
    utimesSync(lock, new Date(0), new Date(0));
    expect(await registry.register(docs)).toBe("unchanged");
    expect(subjects()).toEqual(["record changes found", "register shop"]);
  });

  test("a person's git settings change nothing: no signing, no hooks, no ignored entries", async () => {
    const { registry, subjects } = setup();
    const config = join(tempFolder(), "config");
    const ignore = join(tempFolder(), "ignore");
    writeFileSync(ignore, "*.json\n");
    writeFileSync(
      config,
      `[commit]\ngpgSign = true\n[gpg]\nprogram = /bin/false\n[core]\nhooksPath = /nonexistent\nexcludesFile = ${ignore}\n[user]\nuseConfigOnly = true\n`,
    );
    vi.stubEnv("GIT_CONFIG_GLOBAL", config);
    await registry.register({ id: "shop", root: project(), remote });
    expect(subjects()).toEqual(["register shop"]);
  });

  longTest("processes that register at once all get in", async () => {
    const { home, subjects, ids } = setup();
    const script = `
      const { KoryphHome } = await built("adapters/home/koryph-home.js");
      const { Registry } = await built("adapters/home/registry.js");
      const registry = new Registry(new KoryphHome(args[0]));
      for (const id of args.slice(2)) console.log(await registry.register({ id, root: args[1], remote: null }));`;
    const root = project();
    const names = [
      ["a1", "a2", "a3", "a4"],
      ["b1", "b2", "b3", "b4"],
    ];
    const answers = await Promise.all(
      names.map((each) => startScript(script, home.path, root, ...each).rest()),
    );
    expect(answers.flat()).toEqual(Array(8).fill("added"));
    expect(await ids()).toEqual(names.flat());
    expect(subjects()).toHaveLength(8);
    expect(readdirSync(home.path)).toEqual(["registry.d"]);
  });
});

describe("entries that are none", () => {
  test.each([
    { name: "no JSON", text: "{", problem: "line 1" },
    { name: "another project's entry", text: "", problem: "it names the project shop" },
    { name: "a key nobody knows", text: '{"extra":1}', problem: "Unrecognized key" },
  ])("$name is reported and hides nothing else", async ({ text, problem }) => {
    const { registry, folder } = setup();
    await registry.register({ id: "shop", root: project(), remote });
    const good = readFileSync(join(folder, "shop.json"), "utf8");
    writeFileSync(join(folder, "bad.json"), text === "" ? good : text);
    const { entries, problems } = await registry.list();
    expect(entries.map(({ id }) => id)).toEqual(["shop"]);
    expect(problems).toMatchObject([{ path: join(folder, "bad.json") }]);
    expect(problems[0]?.problem).toMatch(problem);
    await expect(registry.register({ id: "bad", root: project(), remote })).rejects.toThrow("cannot be read");
  });

  test("no registry at all is an empty one", async () => {
    const { registry, home } = setup();
    expect(await registry.list()).toEqual({ entries: [], problems: [] });
    expect(existsSync(home.path)).toBe(false);
  });
});

describe("pinning accounts", () => {
  const pin = {
    profile: "/home/ann/work",
    variable: null,
    expect: { mode: "login", email: "ann@example.org" },
  } as const;
  const key = {
    profile: null,
    variable: "SOME_KEY",
    expect: { mode: "api-key", fingerprint: "ab12" },
  } as const;

  async function registered() {
    const world = setup();
    await world.registry.register({ id: "shop", root: project(), remote });
    const file = join(world.folder, "shop.json");
    return { ...world, file, before: readFileSync(file, "utf8") };
  }

  test("each runtime has a pin of its own, and the history tells", async () => {
    const { registry, subjects } = await registered();
    expect(await registry.pin("shop", "one", pin)).toBe("pinned");
    expect(await registry.pin("shop", "two", key)).toBe("pinned");
    expect(await registry.pin("shop", "two", key)).toBe("unchanged");
    expect((await registry.find("shop"))?.accounts).toEqual({ one: pin, two: key });
    expect(subjects()[0]).toBe("pin the account of shop");
  });

  test("a run and a move leave them as they are", async () => {
    const { registry } = await registered();
    await registry.pin("shop", "one", pin);
    await registry.register(
      { id: "shop", root: (await registry.find("shop"))?.root ?? "", remote: null },
      { id: "r1", at: "2026-01-31T12:00:00.000Z" },
    );
    expect(await registry.find("shop")).toMatchObject({ remote: null, accounts: { one: pin } });
  });

  test("without the last one the entry is as it was before: a koryph from before pins reads it again", async () => {
    const { registry, file, before } = await registered();
    await registry.pin("shop", "one", pin);
    expect(await registry.pin("shop", "one", null)).toBe("forgotten");
    expect(await registry.pin("shop", "one", null)).toBe("unchanged");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("a project that is not there pins nothing", async () => {
    const { registry } = await registered();
    expect(await registry.pin("other", "one", pin)).toBe("absent");
  });

  test.each<{ name: string; accounts: object; problem: string }>([
    {
      name: "neither a profile nor a variable",
      accounts: { one: { ...key, variable: null } },
      problem: "a profile or a variable, and not both",
    },
    {
      name: "both",
      accounts: { one: { ...pin, variable: "SOME_KEY" } },
      problem: "a profile or a variable, and not both",
    },
    {
      name: "a login by a variable",
      accounts: { one: { ...key, expect: pin.expect } },
      problem: "no variable says whose login it is",
    },
    {
      name: "a folder without its path",
      accounts: { one: { ...pin, profile: "work" } },
      problem: "an absolute path",
    },
    { name: "a key itself", accounts: { one: { ...key, key: "secret" } }, problem: "accounts.one" },
  ])("an entry with $name is refused, not read without it", async ({ accounts, problem }) => {
    const { registry, file, before } = await registered();
    writeFileSync(file, JSON.stringify({ ...JSON.parse(before), accounts }));
    await expect(registry.find("shop")).rejects.toThrow(problem);
  });
});
