import fc from "fast-check";
import { expect, test } from "vitest";

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
