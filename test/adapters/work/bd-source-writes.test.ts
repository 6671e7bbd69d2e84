import { readdirSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { BdSource } from "../../../src/adapters/work/bd-source.js";
import { UserError } from "../../../src/lib/user-error.js";
import { fakeBd } from "../../support/cli/fake-bd.js";
import type { BdManner } from "../../support/cli/fake-bd-answers.js";
import { CLAIMS } from "../../support/core/claims.js";
import { tempFolder } from "../../support/temp-folder.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

function bdWith(bead: object, manner: BdManner = {}) {
  const bd = fakeBd(
    [
      { id: "b-1", title: "One", status: "open", ...bead },
      { id: "b-22", title: "Two" },
    ],
    manner,
  );
  return { bd, source: new BdSource(bd.folder), first: () => bd.beads()[0] };
}

async function refusal(writing: Promise<unknown>): Promise<string> {
  const answer = await writing.catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(UserError);
  return (answer as UserError).message;
}

describe("claim", () => {
  test.each<{ name: string; bead: object; manner?: BdManner; answer: string; after: object }>([
    ...CLAIMS,
    {
      name: "an open bead that is promised to somebody else is taken",
      bead: { assignee: "you" },
      answer: "taken",
      after: { status: "open", assignee: "you" },
    },
    {
      name: "a refusal that ends with 0 is not taken for a claim",
      bead: { assignee: "you" },
      manner: { refusesQuietly: true },
      answer: "taken",
      after: { status: "open", assignee: "you" },
    },
    {
      name: "a claim that was made counts, although bd failed afterwards",
      bead: {},
      manner: { failsAfterwards: true },
      answer: "claimed",
      after: { status: "in_progress", assignee: "me" },
    },
  ])("$name", async ({ bead, manner, answer, after }) => {
    const { source, first } = bdWith(bead, manner);
    expect(await source.claim("b-1", "me")).toBe(answer);
    expect(first()).toMatchObject(after);
  });

  test("an abbreviation of another bead's id is gone, and that bead is left alone", async () => {
    const { source, bd } = bdWith({});
    expect(await source.claim("b-2", "me")).toBe("gone");
    expect(bd.writes()).toEqual([]);
  });

  test("a bd that fails is quoted", async () => {
    const { source } = bdWith({}, { broken: true });
    expect(await refusal(source.claim("b-1", "me"))).toBe(
      "bd update --claim --actor=me --json -- b-1 failed: Error: database is locked",
    );
  });

  test("a bd that says yes and does nothing is not believed", async () => {
    const { source } = bdWith({}, { idle: true });
    expect(await refusal(source.claim("b-1", "me"))).toContain(
      "it reported success, and bd shows the bead unchanged",
    );
  });

  test("a bd that hangs is given up after the time for writes", async () => {
    const { bd } = bdWith({}, { hangs: true });
    const message = await refusal(new BdSource(bd.folder, { writeSeconds: 0.5 }).claim("b-1", "me"));
    expect(message).toBe("bd update --claim --actor=me --json -- b-1 did not answer within 0.5 s");
  });
});

describe("release", () => {
  test("a bead in progress is open and nobody's afterwards, whoever had it", async () => {
    const { source, first } = bdWith({ status: "in_progress", assignee: "me" });
    await source.release("b-1");
    await source.release("b-1");
    expect(first()).toMatchObject({ status: "open", assignee: "" });
  });

  test.each(["open", "closed", "blocked"])("a bead that is %s is not touched", async (status) => {
    const { source, bd } = bdWith({ status });
    await source.release("b-1");
    await source.release("nobody");
    expect(bd.writes()).toEqual([]);
  });

  test("a bead that stays in progress is an error", async () => {
    const { source } = bdWith({ status: "in_progress", assignee: "me" }, { broken: true });
    expect(await refusal(source.release("b-1"))).toContain("database is locked");
  });
});

describe("close", () => {
  test("a claimed bead is closed in its holder's name, with the reason", async () => {
    const { source, first } = bdWith({ status: "in_progress", assignee: "me" });
    expect(await source.close("b-1", "landed\nas abc")).toBe("closed");
    expect(first()).toMatchObject({ status: "closed", close_reason: "landed\nas abc" });
  });

  test("closing again asks bd for nothing", async () => {
    const { source, bd, first } = bdWith({});
    await source.close("b-1", "first");
    expect(await source.close("b-1", "second")).toBe("closed");
    expect([bd.writes().length, first()?.close_reason]).toEqual([1, "first"]);
  });

  test("a bead that does not exist is gone", async () => {
    expect(await bdWith({}).source.close("b-2", "x")).toBe("gone");
  });

  test.each<BdManner>([{}, { refusesQuietly: true }])(
    "a refusal is an error, never forced (%o)",
    async (manner) => {
      const { source, bd } = bdWith({ blocked: true }, manner);
      await refusal(source.close("b-1", "done"));
      expect(bd.writes().flat()).not.toContain("--force");
    },
  );
});

describe("comment", () => {
  test("each key is written once, and what it says is as given", async () => {
    const { source, first } = bdWith({});
    await source.comment("b-1", "--help\n$(id)\n`x`", "run-1:b-1");
    await source.comment("b-1", "again", "run-1:b-1");
    await source.comment("b-1", "other", "run-1:b-11");
    expect(first()?.comments).toEqual([
      { author: "koryph", text: "--help\n$(id)\n`x`\n\n<!-- koryph:run-1:b-1 -->\n" },
      { author: "koryph", text: "other\n\n<!-- koryph:run-1:b-11 -->\n" },
    ]);
  });

  test("a comment that was written counts, although bd failed afterwards", async () => {
    const { source, first } = bdWith({}, { failsAfterwards: true });
    expect(await source.comment("b-1", "hello", "k")).toBe("added");
    expect(first()?.comments).toHaveLength(1);
  });

  test("a comment that was not written is an error", async () => {
    const { source } = bdWith({}, { broken: true });
    expect(await refusal(source.comment("b-1", "hello", "k"))).toContain("database is locked");
  });

  test("a bead that does not exist is gone", async () => {
    expect(await bdWith({}).source.comment("b-2", "x", "k")).toBe("gone");
  });

  test("the text's file does not stay", async () => {
    const { source } = bdWith({});
    const folder = tempFolder();
    vi.stubEnv("TMPDIR", folder);
    await source.comment("b-1", "hello", "k");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a temporary folder that does not exist is named", async () => {
    const { source } = bdWith({});
    vi.stubEnv("TMPDIR", "/nowhere/at/all");
    expect(await refusal(source.comment("b-1", "hello", "k"))).toContain(
      "koryph cannot make a file in /nowhere/at/all",
    );
  });
});

describe("nothing given can be read as an option", () => {
  const nasty = "--force";

  test("neither a name nor a reason nor a bead", async () => {
    const { source, bd, first } = bdWith({});
    await source.claim("b-1", nasty);
    await source.close("b-1", nasty);
    expect(first()).toMatchObject({ assignee: nasty, close_reason: nasty });
    expect(bd.writes()).toEqual([
      ["update", "--claim", "--actor=--force", "--json", "--", "b-1"],
      ["close", "--reason=--force", "--actor=--force", "--json", "--", "b-1"],
    ]);
    expect(await source.claim("--all", "me")).toBe("gone");
  });

  test("a reason with a character no argument can carry is passed without it", async () => {
    const { source, first } = bdWith({});
    await source.close("b-1", "a\0b");
    expect(first()).toMatchObject({ close_reason: "ab" });
  });

  test("what is shown of a failed command fits on a line and moves no cursor", async () => {
    const { source } = bdWith({}, { broken: true });
    const message = await refusal(source.close("b-1", `\u001b[2J${"x".repeat(5000)}`));
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain("\u001b");
  });
});
