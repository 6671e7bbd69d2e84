import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OutcomeKind } from "../../../src/core/model/agent-end.js";
import type { Replay } from "./replay-stream.js";

/** What every reader of an agent's output has to bear, whatever the runtime. */
export function bearsAnything<End>(reader: {
  /** Names of recorded streams. */
  readonly streams: readonly string[];
  readonly recorded: (name: string) => readonly string[];
  /** Lines that are no events. */
  readonly noise: readonly string[];
  readonly replay: (lines: readonly string[]) => End;
}): void {
  const { streams, recorded, noise, replay } = reader;

  test("lines that are no events change nothing, wherever they come", () => {
    fc.assert(
      fc.property(fc.constantFrom(...streams), fc.array(fc.constantFrom(...noise)), (name, extra) => {
        const lines = recorded(name);
        const mixed = lines.flatMap((line, index) => [...extra.slice(index, index + 1), line]);
        expect(replay(mixed)).toEqual(replay(lines));
      }),
    );
  });

  test("no line makes it throw", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (lines) => {
        expect(() => replay(lines)).not.toThrow();
      }),
    );
  });
}

/** A recorded review that has the shape that was asked for, and one in prose. */
export function readsAnswers(
  recorded: (name: string) => readonly string[],
  replay: Replay<{ readonly structured: boolean }>,
): void {
  test("an answer of a given shape is read where one was asked for, and nothing else is made into one", () => {
    const asked = { structured: true };
    expect(replay(recorded("review"), {}, asked).outcome.structured).toMatchObject({ blocking: true });
    expect(replay(recorded("review")).outcome.structured).toBeNull();
    expect(replay(recorded("review-prose"), {}, asked).outcome.structured).toBeNull();
  });
}

export function docsListFailures(
  failures: readonly { readonly sign: string; readonly kind: OutcomeKind }[],
): void {
  test("docs/runtimes.md lists what each failure means", () => {
    const page = readFileSync(new URL("../../../docs/runtimes.md", import.meta.url), "utf8");
    const rows = failures.map(({ sign, kind }) => `| ${sign} | \`${kind}\` |`);
    expect(page).toContain([...rows, "| anything else | `failed` |"].join("\n"));
  });
}
