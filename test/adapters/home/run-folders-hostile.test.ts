import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openHome } from "../../../src/adapters/home/koryph-home.js";
import { RunFolders } from "../../../src/adapters/home/run-folders.js";
import { homeFolders } from "../../../src/core/runtimes/agent-environment.js";
import type { LaunchRecord } from "../../../src/ports/slot-folders.js";
import { tempFolder } from "../../support/temp-folder.js";

const PLACE = { run: "r-1", bead: "b-1", attempt: 1 };
const NEXT = { ...PLACE, attempt: 2 };
const VICTIM = {
  "status.json": '{"state":"blocked"}',
  "INBOX.md": "mine",
  "schema.json": "{}",
  landing: "x",
};

/** One attempt has been launched, and somebody's folder lies beside. */
async function world() {
  const folders = new RunFolders(await openHome({ KORYPH_HOME: tempFolder() }), "p", async () => {});
  const home = folders.home(PLACE);
  const record = { runtime: "x", probe: { binary: "x", version: "1" }, spec: { home } };
  const launch = (place = NEXT) =>
    folders.writeLaunch(place, "prompt", record as unknown as LaunchRecord, {
      [join(home, "conf", "schema.json")]: "ours",
    });
  await launch(PLACE);
  const victim = tempFolder();
  for (const [name, text] of Object.entries(VICTIM)) writeFileSync(join(victim, name), text);
  const untouched = () =>
    expect(
      Object.fromEntries(readdirSync(victim).map((name) => [name, readFileSync(join(victim, name), "utf8")])),
    ).toEqual(VICTIM);
  return { folders, home, launch, victim, untouched, agent: folders.agentFolder(PLACE) };
}

function replaceByLink(path: string, to: string): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(to, path);
}

describe("a link in the place of a folder is neither followed nor left there", () => {
  test.each<{ name: string; at: "agent" | "home"; below: string }>([
    { name: "the agent's folder", at: "agent", below: "." },
    { name: "the bead's folder of the run", at: "agent", below: ".." },
    { name: "the run's folder", at: "agent", below: "../.." },
    { name: "its HOME", at: "home", below: "." },
    { name: "a folder of the runtime's in its HOME", at: "home", below: "conf" },
  ])("$name", async ({ at, below }) => {
    const made = await world();
    const link = join(made[at], below);
    replaceByLink(link, made.victim);
    expect(await made.folders.readStatus(PLACE)).toBeNull();
    await made.folders.deliver(PLACE, "k", "hello");
    await made.folders.writeManifest(PLACE, {});
    await made.launch();
    made.untouched();
    expect(lstatSync(link).isDirectory()).toBe(true);
    expect(readFileSync(join(made.agent, "INBOX.md"), "utf8")).toContain("hello");
    expect(readFileSync(join(made.home, "conf", "schema.json"), "utf8")).toBe("ours");
    writeFileSync(join(made.agent, "status.json"), '{"state":"done"}');
    expect(await made.folders.readStatus(NEXT)).toMatchObject({ state: "done" });
  });

  test("the gates' folder of the bead", async () => {
    const { folders, victim, untouched } = await world();
    const first = await folders.openGate("b-1", "landing-00000001");
    mkdirSync(join(first, "home"), { recursive: true });
    const second = await folders.openGate("b-1", "landing-00000002");
    expect(existsSync(first)).toBe(false);
    replaceByLink(dirname(second), victim);
    await folders.openGate("b-1", "landing-00000003");
    untouched();
    expect(lstatSync(dirname(second)).isDirectory()).toBe(true);
    expect(readdirSync(join(dirname(second), ".."))).toEqual(["b-1"]);
  });
});

describe("an agent that spoils its HOME or its folder does not spoil the next attempt", () => {
  test.each<{ name: string; spoil: (made: Awaited<ReturnType<typeof world>>) => void }>([
    { name: "a link to nowhere", spoil: ({ home }) => replaceByLink(join(home, ".cache"), "/nowhere") },
    { name: "a link to itself", spoil: ({ home }) => replaceByLink(join(home, ".local"), ".local") },
    {
      name: "a file",
      spoil: ({ home }) => {
        rmSync(join(home, "tmp"), { recursive: true });
        writeFileSync(join(home, "tmp"), "");
      },
    },
    { name: "a folder closed to its owner", spoil: ({ home }) => chmodSync(home, 0) },
    {
      name: "folders in the place of files",
      spoil: ({ agent, home }) => {
        rmSync(join(home, "conf", "schema.json"));
        for (const path of [join(agent, "status.json"), join(home, "conf", "schema.json")])
          mkdirSync(join(path, "a", "b"), { recursive: true });
      },
    },
  ])("$name", async ({ spoil }) => {
    const made = await world();
    spoil(made);
    await made.launch();
    for (const path of homeFolders(made.home)) {
      expect(lstatSync(path).isDirectory()).toBe(true);
      expect(lstatSync(path).mode & 0o700).toBe(0o700);
    }
    expect(existsSync(join(made.agent, "status.json"))).toBe(false);
    expect(readFileSync(join(made.home, "conf", "schema.json"), "utf8")).toBe("ours");
    expect(readdirSync(dirname(made.home))).toEqual(["b-1"]);
  });

  test("a folder in the place of its inbox gives way to the inbox", async () => {
    const { folders, agent } = await world();
    mkdirSync(join(agent, "INBOX.md", "a"), { recursive: true });
    await folders.deliver(PLACE, "k", "hello");
    expect(readFileSync(join(agent, "INBOX.md"), "utf8")).toContain("hello");
  });
});

test("a project's folders may be links of the operator's", async () => {
  const home = tempFolder();
  const elsewhere = tempFolder();
  mkdirSync(join(home, "projects", "p"), { recursive: true });
  for (const name of ["runs", "homes"]) {
    mkdirSync(join(elsewhere, name));
    symlinkSync(join(elsewhere, name), join(home, "projects", "p", name));
  }
  const folders = new RunFolders(await openHome({ KORYPH_HOME: home }), "p");
  await folders.deliver(PLACE, "k", "hello");
  expect(readFileSync(join(elsewhere, "runs", "r-1", "b-1", "agent", "INBOX.md"), "utf8")).toContain("hello");
});
