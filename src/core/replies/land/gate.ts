import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { PROJECT_FILE } from "../../config/project-file.js";
import type { Place } from "../../land/find-places.js";

/** What is added to the output of a command that did not end by itself. */
export const gateNote = {
  tooSlow: (seconds: number) => `[koryph ended it after ${seconds} s: gate_timeout_seconds]`,
  lost: () => "[it vanished without an exit code]",
};

/** How a command of the gate ended that was not green; the note at the end of its output tells two of them apart. */
export function gateEnd({ code, output }: { readonly code: number | null; readonly output: string }): string {
  if (code === null) return unendedText(output);
  // What a shell makes of a signal.
  return code > 128 && code < 193 ? `ended with ${code}, by signal ${code - 128}` : `ended with ${code}`;
}

/** Of a command without an exit code. */
export function unendedText(output: string): string {
  if (output.endsWith(gateNote.lost())) return "was killed";
  const seconds = /\[koryph ended it after (\d+) s[^\]]*\]$/.exec(output)?.[1];
  return seconds === undefined
    ? "ran out of time"
    : `was ended after ${seconds} s, the limit that gate_timeout_seconds in ${PROJECT_FILE} sets`;
}

export interface RedGate {
  readonly command: string;
  readonly code: number | null;
  readonly places: readonly Place[];
}

/** What a person reads first about a red gate, in one line. */
export function gateRed({ command, code, places }: RedGate): string {
  const [first] = places;
  const where = first === undefined ? "" : ` (${placeText(first)})`;
  const end = code === null ? "did not end by itself" : `ended with exit code ${code}`;
  return `the gate is red: \`${cutText(plainText(command), 100)}\` ${end}${where}`;
}

const LINES_SHOWN = 30;

/** The end of what a command printed, as much as a person wants to see of it at once, and how much came before. */
export function lastLines(output: string, most = LINES_SHOWN): string {
  const lines = output.trimEnd().split("\n");
  const left = lines.length - most;
  return [
    ...(left > 0 ? [`… ${left} ${left === 1 ? "line" : "lines"} before these`] : []),
    ...lines.slice(-most),
  ].join("\n");
}

/** One line per place, in the form that editors and terminals turn into links. */
export function placeLines(places: readonly Place[]): string[] {
  return places.map(placeText);
}

function placeText({ file, line, message }: Place): string {
  const place = `${plainText(file)}:${line}`;
  return message === "" ? place : `${place}: ${message}`;
}
