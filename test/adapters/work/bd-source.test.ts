import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { BdSource } from "../../../src/adapters/work/bd-source.js";
import { runBd } from "../../../src/adapters/work/run-bd.js";
import { UserError } from "../../../src/lib/user-error.js";
import { ids } from "../../support/core/beads.js";
import { tempFolder } from "../../support/temp-folder.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Puts a shell script first on the path under bd's name, and returns its folder. */
function scriptedBd(script: string): string {
  const folder = tempFolder();
  const path = join(folder, "bd");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  return folder;
}

/** A bd that answers every command with the same text and writes down how it was called. */
function answering(answer: unknown): { source: BdSource; called(): string[][] } {
  const folder = scriptedBd(
    `pwd >>"$0.calls"; printf '%s\\n' "$@" >>"$0.calls"; echo >>"$0.calls"; cat "$0.answer"`,
  );
  writeFileSync(join(folder, "bd.answer"), typeof answer === "string" ? answer : JSON.stringify(answer));
  return {
    source: new BdSource(folder),
    called: () =>
      readFileSync(join(folder, "bd.calls"), "utf8")
        .trimEnd()
        .split("\n\n")
        .map((call) => call.split("\n")),
  };
}

async function refusal(reading: Promise<unknown>): Promise<UserError> {
  const answer = await reading.catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(UserError);
  return answer as UserError;
}

const first = { id: "b-1", title: "First" };
const second = { id: "b-2", title: "Second" };

describe("answers", () => {
  test.each<{ name: string; answer: unknown; expected: string[] }>([
    { name: "a bare list", answer: [first, second], expected: ["b-1", "b-2"] },
    { name: "a list under issues", answer: { issues: [first, second] }, expected: ["b-1", "b-2"] },
    { name: "one bead under issue", answer: { issue: first }, expected: ["b-1"] },
    { name: "one bare bead", answer: first, expected: ["b-1"] },
    { name: "an empty list", answer: [], expected: [] },
    { name: "an empty list under issues", answer: { issues: [] }, expected: [] },
    { name: "null, which is how an empty list may be written", answer: null, expected: [] },
    { name: "null under issues", answer: { issues: null }, expected: [] },
    { name: "a list with records of other sorts", answer: [{ _type: "memory" }, first], expected: ["b-1"] },
  ])("$name is read", async ({ answer, expected }) => {
    expect(ids(await answering(answer).source.all())).toEqual(expected);
  });

  test.each<{ name: string; record: object; expected: object }>([
    {
      name: "an edge as the tracker stores it",
      record: { dependencies: [{ issue_id: "b-1", depends_on_id: "b-0", type: "blocks" }] },
      expected: { blockers: ["b-0"] },
    },
    {
      name: "an edge as the bead at its other end",
      record: { dependencies: [{ id: "b-0", dependency_type: "blocks" }] },
      expected: { blockers: ["b-0"] },
    },
    {
      name: "a parent given by an edge",
      record: { dependencies: [{ id: "e-1", dependency_type: "parent-child" }] },
      expected: { parent: "e-1", blockers: [] },
    },
  ])("$name is understood", async ({ record, expected }) => {
    expect(await answering([{ ...first, ...record }]).source.all()).toMatchObject([expected]);
  });
});

describe("questions", () => {
  test("everything is asked for in one call, closed beads and the long tail included", async () => {
    const { source, called } = answering([]);
    await source.all();
    expect(called().map(([, ...args]) => args)).toEqual([["list", "--all", "--json", "--limit", "0"]]);
  });

  test("what is ready is for bd to say", async () => {
    const { source, called } = answering([second]);
    expect(ids(await source.ready())).toEqual(["b-2"]);
    expect(called().map(([, ...args]) => args)).toEqual([["ready", "--json", "--limit", "0"]]);
  });

  test("a parent that looks like an option is passed as a value", async () => {
    const { source, called } = answering([]);
    await source.ready({ parent: "--help" });
    expect(called()[0]?.at(-1)).toBe("--parent=--help");
  });

  test("bd runs in the project's folder", async () => {
    const folder = scriptedBd('printf \'[{"id":"b-1","title":"%s"}]\' "$(pwd -P)"');
    const [bead] = await new BdSource(folder).all();
    expect(bead?.title).toBe(folder);
  });

  test("a bead is found by its id", async () => {
    expect(await answering([first, second]).source.get("b-2")).toMatchObject({ title: "Second" });
  });

  test("a bead that does not exist is null", async () => {
    expect(await answering([first]).source.get("b-9")).toBeNull();
  });

  test("children are the direct ones, closed ones included", async () => {
    const beads = [
      first,
      { ...second, parent: "b-1", status: "closed" },
      { id: "b-3", title: "Third", dependencies: [{ id: "b-1", dependency_type: "parent-child" }] },
      { id: "b-4", title: "Fourth", parent: "b-3" },
    ];
    expect(ids(await answering(beads).source.children("b-1"))).toEqual(["b-2", "b-3"]);
  });
});

describe("failures", () => {
  const asked = "bd list --all --json --limit 0";

  test("a missing bd is told with how to install it", async () => {
    vi.stubEnv("PATH", tempFolder());
    const { message, hint } = await refusal(new BdSource(tempFolder()).all());
    expect(message).toBe("the bd command was not found, and work_source is bd");
    expect(hint).toContain("npm install --global @beads/bd");
  });

  test("a bd that hangs is given up", async () => {
    const folder = scriptedBd("exec sleep 600");
    const { message, hint } = await refusal(new BdSource(folder, { readSeconds: 0.2 }).all());
    expect(message).toBe(`${asked} did not answer within 0.2 s`);
    expect(hint).toContain("lock");
  });

  test.each([
    {
      name: "a bd that fails is quoted",
      script: "echo 'Error: no beads database found' >&2; exit 1",
      expected: `${asked} failed: Error: no beads database found`,
    },
    {
      name: "what a failing bd printed as an answer is not read",
      script: `echo '[{"id":"b-1","title":"x"}]'; echo 'database is locked' >&2; exit 3`,
      expected: `${asked} failed: database is locked`,
    },
    {
      name: "what a failing bd says cannot colour the terminal",
      script: "printf '\\033[31mred\\n' >&2; exit 1",
      expected: `${asked} failed: \u{FFFD}[31mred`,
    },
    {
      name: "a bd that says nothing is no empty list",
      script: "exit 0",
      expected: `${asked} failed: its answer is not JSON: there is nothing in it`,
    },
    {
      name: "words instead of JSON are refused",
      script: "echo '<h1>hello</h1>'",
      expected: `${asked} failed: its answer is not JSON: Unexpected token '<' at line 1, column 1`,
    },
    {
      name: "an answer that is cut short is refused",
      script: `printf '[{"id":"b-1","title":"x"},'`,
      expected: `${asked} failed: its answer is not JSON: Unexpected end at line 1, column 27`,
    },
    {
      name: "what a failing bd says in its answer is quoted",
      script: `echo '{"error":"no beads database found"}'; exit 1`,
      expected: `${asked} failed: no beads database found`,
    },
    {
      name: "what a failing bd says as JSON is quoted without it",
      script: `echo '{"error":"database is locked"}' >&2; exit 1`,
      expected: `${asked} failed: database is locked`,
    },
    {
      name: "an error in the answer of a bd that ends well is an error",
      script: `echo '{"error":"schema is too new"}'`,
      expected: `${asked} failed: schema is too new`,
    },
    {
      name: "an id that stands twice in the answer refuses it",
      script: `echo '[{"id":"b-1","title":"x"},{"id":"b-2","title":"y"},{"id":"b-1","title":"z"}]'`,
      expected: `${asked} failed: it lists bead b-1 twice`,
    },
    {
      name: "one malformed bead refuses the whole answer",
      script: `echo '[{"id":"b-1","title":"x"},{"id":"b-2","title":""}]'`,
      expected: `${asked} failed: a bead it lists is malformed: title: found "", needed a text, not an empty one`,
    },
  ])("$name", async ({ script, expected }) => {
    const folder = scriptedBd(script);
    expect((await refusal(new BdSource(folder).all())).message).toBe(expected);
  });

  test("a failing bd that says nothing is named by its command", async () => {
    const folder = scriptedBd("exit 7");
    expect((await refusal(new BdSource(folder).ready())).message).toMatch(
      /^bd ready --json --limit 0 failed: /,
    );
  });

  test("a bd that waits for words on its input finds it closed", async () => {
    const folder = scriptedBd("cat >/dev/null; echo '[]'");
    expect(await new BdSource(folder, { readSeconds: 10 }).all()).toEqual([]);
  });

  test("an answer longer than koryph takes in is refused as such", async () => {
    const folder = scriptedBd("head -c 100000 /dev/zero");
    const call = { root: folder, args: ["list"], timeoutSeconds: 45, maxBytes: 50_000 };
    expect((await refusal(runBd(call))).message).toBe(
      "bd list failed: its answer is longer than 50000 bytes",
    );
  });

  test.each([{ answer: "3" }, { answer: '"text"' }, { answer: "true" }, { answer: '{"note":"x"}' }])(
    "$answer is no list of beads",
    async ({ answer }) => {
      const { message } = await refusal(answering(answer).source.all());
      expect(message).toContain("a bead it lists is malformed");
    },
  );
});
