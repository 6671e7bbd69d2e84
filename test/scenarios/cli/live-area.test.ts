import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { canDraw, LiveArea } from "../../../src/cli/text/live-area.js";

/** Up so many rows, to a column, clear what is below; a line break; text. */
const ORDERS = /\u001b\[(\d+)A|\u001b\[\d*G|\u001b\[(0?J)|\n|[^\n\u001b]+/g;

/** As much of a terminal as is needed: it keeps lines, wraps long ones anew when it is resized, and obeys three orders. */
class Screen extends EventEmitter {
  columns = 60;
  rows = 24;
  #lines: string[] = [""];
  #row = 0;

  write(text: string): boolean {
    for (const [piece, up, down] of text.matchAll(ORDERS)) {
      if (up !== undefined) this.#row = Math.max(0, this.#row - Number(up));
      else if (down !== undefined) this.#lines = [...this.#lines.slice(0, this.#row), ""];
      else if (piece === "\n") this.#row += 1;
      else if (!piece.startsWith("\u001b")) this.#lines[this.#row] = piece;
      this.#lines[this.#row] ??= "";
    }
    return true;
  }

  resize(columns: number): void {
    this.columns = columns;
    this.#lines = this.#lines.flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, "g")) ?? [""]);
    this.#row = this.#lines.length - 1;
    this.emit("resize");
  }

  get shown(): string[] {
    return this.#lines.slice(0, -1);
  }
}

function open() {
  const screen = new Screen();
  const area = new LiveArea(screen as unknown as NodeJS.WriteStream);
  const say = (line: string) => area.above(() => screen.write(`${line}\n`));
  return { screen, area, say };
}

test("what is said scrolls above the lines that stay", () => {
  const { screen, area, say } = open();
  say("one");
  area.show(() => ["a 1s", "b 1s"]);
  say("two");
  area.show(() => ["a 2s"]);
  say("three");
  expect(screen.shown).toEqual(["one", "two", "three", "a 2s"]);
  area.close();
  say("end");
  expect(screen.shown).toEqual(["one", "two", "three", "end"]);
});

test("a terminal that is made narrower, and wider again, keeps what was said and one copy of the lines", () => {
  const { screen, area, say } = open();
  say("x".repeat(50));
  area.show(({ columns }) => ["a".repeat(columns - 1), "b".repeat(columns - 1)]);
  screen.resize(45);
  expect(screen.shown).toEqual(["x".repeat(45), "xxxxx", "a".repeat(44), "b".repeat(44)]);
  screen.resize(80);
  expect(screen.shown.slice(2)).toEqual(["a".repeat(79), "b".repeat(79)]);
});

test("one that is too small shows what is said and nothing else", () => {
  const { screen, area, say } = open();
  area.show(() => ["a"]);
  screen.resize(30);
  say("one");
  expect(screen.shown).toEqual(["one"]);
});

test("lines are written below what the shell wrote while koryph was stopped", () => {
  const { screen, area } = open();
  area.show(() => ["a"]);
  screen.write("$ fg\n");
  process.emit("SIGCONT");
  expect(screen.shown).toEqual(["a", "$ fg", "a"]);
  area.close();
});

test.each([
  { name: "a terminal", env: { TERM: "xterm" }, draws: true },
  { name: "a pipe", env: { TERM: "xterm" }, isTTY: false, draws: false },
  { name: "a dumb terminal", env: { TERM: "dumb" }, draws: false },
  { name: "nobody knows which", env: {}, draws: false },
  { name: "somebody who wants no colour", env: { TERM: "xterm", NO_COLOR: "1" }, draws: false },
  { name: "a CI that has a terminal", env: { TERM: "xterm", CI: "true" }, draws: false },
])("$name: $draws", ({ env, isTTY = true, draws }) => {
  expect(canDraw({ isTTY } as NodeJS.WriteStream, env)).toBe(draws);
});
