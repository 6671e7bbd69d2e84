import { type Paint, PLAIN } from "../../lib/paint.js";
import { UNSAFE } from "../../lib/plain-text.js";
import { canDraw, LiveArea } from "./live-area.js";

/** Where a command's words go. Results to `out`, everything else to `err`, so that pipes stay clean. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  readonly paint: Paint;
  /** How wide it is; absent where nobody looks. */
  readonly columns?: number;
  /** Lines that stay below what is said; absent where nothing can be drawn. */
  readonly screen?: LiveArea;
}

/**
 * `onLoss` is told once that results cannot be written. A reader that has seen enough (`koryph plan audit |
 * head`) is no such case: what it no longer reads is dropped, and the command goes on as if it were read.
 */
export function openTerminal(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  onLoss: (problem: Error) => void,
): Terminal {
  const coloured = wantsColour(stdout);
  const passed = ["\n", "\t", ...(coloured ? [...HEADING, ...FAINT, ...WARNING, ...GOOD] : [])];
  const out = writer(stdout, onLoss);
  // Nothing can be said about words that nobody hears.
  const err = writer(stderr, () => {});
  const screen = canDraw(stdout, process.env) ? new LiveArea(stdout) : undefined;
  const above = (write: () => void) => (screen === undefined ? write() : screen.above(write));
  return {
    out: (line) => above(() => out(harmless(line, passed))),
    err: (line) => above(() => err(harmless(line, passed))),
    paint: coloured ? COLOURED : PLAIN,
    ...(stdout.isTTY && { columns: stdout.columns }),
    ...(screen && { screen }),
  };
}

function writer(stream: NodeJS.WriteStream, onLoss: (problem: Error) => void): (text: string) => void {
  let lost = false;
  const lose = (error: NodeJS.ErrnoException) => {
    if (lost) return;
    lost = true;
    if (error.code !== "EPIPE") onLoss(error);
  };
  // Some kinds of stream report a failed write as an event, others throw.
  stream.on("error", lose);
  return (text) => {
    if (lost) return;
    try {
      stream.write(`${text}\n`);
    } catch (error) {
      lose(error as NodeJS.ErrnoException);
    }
  };
}

/**
 * The last place where other people's text can be kept from driving the terminal. It is shown as JSON writes
 * it, so that JSON still means the same.
 */
function harmless(text: string, passed: readonly string[]): string {
  return text.replace(UNSAFE, (found: string, at: number) =>
    passed.some((each) => text.startsWith(each, at)) ? found : escaped(found),
  );
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** Colour only where a person looks, and never against their wish. */
function wantsColour(stream: NodeJS.WriteStream): boolean {
  if (process.env.NO_COLOR) return false;
  return stream.isTTY === true && process.env.TERM !== "dumb";
}

const HEADING = ["\u001b[1m", "\u001b[22m"] as const;
const FAINT = ["\u001b[2m", "\u001b[22m"] as const;
const WARNING = ["\u001b[33m", "\u001b[39m"] as const;

const GOOD = ["\u001b[32m", "\u001b[39m"] as const;

const COLOURED: Paint = {
  heading: between(HEADING),
  faint: between(FAINT),
  warning: between(WARNING),
  good: between(GOOD),
};

function between([on, off]: readonly [string, string]): (text: string) => string {
  return (text) => `${on}${text}${off}`;
}
