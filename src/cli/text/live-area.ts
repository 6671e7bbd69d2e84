import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { displayWidth } from "../../lib/display-width.js";

interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Lines that stay below everything else that is said, each at most `columns - 1` wide. */
type Render = (size: ScreenSize) => readonly string[];

const LEAST = { columns: 40, rows: 8 };

/**
 * The last lines of a terminal, drawn anew as often as wanted. Everything else is written above them, so that it
 * scrolls as if they were not there.
 */
export class LiveArea {
  readonly #stream: NodeJS.WriteStream;
  #render: Render | null = null;
  #drawn: readonly string[] = [];
  readonly #resized = () => this.#redraw();
  readonly #continued = () => {
    // Whatever was on the screen, the shell has written below it.
    this.#drawn = [];
    this.#redraw();
  };

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Shows these lines until others are shown, or it is closed. */
  show(render: Render): void {
    if (this.#render === null) {
      this.#stream.on("resize", this.#resized);
      process.on("SIGCONT", this.#continued);
    }
    this.#render = render;
    this.#redraw();
  }

  /** Writes something where the lines are, and the lines below it. */
  above(write: () => void): void {
    this.#erase();
    write();
    this.#draw();
  }

  close(): void {
    this.#erase();
    this.#render = null;
    this.#stream.off("resize", this.#resized);
    process.off("SIGCONT", this.#continued);
  }

  #redraw(): void {
    this.#erase();
    this.#draw();
  }

  #draw(): void {
    const { columns, rows } = this.#stream;
    if (this.#render === null || columns < LEAST.columns || rows < LEAST.rows) return;
    this.#drawn = this.#render({ columns, rows });
    for (const line of this.#drawn) this.#stream.write(`${line}\n`);
  }

  #erase(): void {
    if (this.#drawn.length === 0) return;
    // A terminal that was made narrower has wrapped what no longer fits.
    const columns = Math.max(1, this.#stream.columns);
    const rows = this.#drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)),
      0,
    );
    moveCursor(this.#stream, 0, -rows);
    cursorTo(this.#stream, 0);
    clearScreenDown(this.#stream);
    this.#drawn = [];
  }
}

/** Whether somebody looks at a terminal that can be drawn on, and does not mind. */
export function canDraw(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  const { TERM = "dumb", NO_COLOR, CI } = env;
  return stream.isTTY === true && TERM !== "dumb" && !NO_COLOR && !CI;
}
