import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { Place } from "../../land/find-places.js";
import { fenced } from "../../prompt/untrusted-text.js";
import { unendedText } from "./gate.js";

const MOST_LINES = 100;
const LINE_CHARACTERS = 500;
const OUTPUT_CHARACTERS = 16_000;

export interface GateFailure {
  readonly command: string;
  /** Null when it was ended for taking too long, or killed; the end of its output tells which. */
  readonly code: number | null;
  readonly output: string;
  readonly places: readonly Place[];
}

/** For the implementer: which command of the gate failed, where, and the end of what it printed. */
export function gateReport({ command, code, output, places }: GateFailure): string {
  const end = code === null ? unendedText(output) : `ended with exit code ${code}`;
  return [
    "# Gate",
    "",
    `\`${line(command)}\` ${end}, twice, each time in a clean checkout of your branch.`,
    ...section(
      "Places",
      places.map((place) => `${line(place.file)}:${place.line}: ${line(place.message)}`),
    ),
    "",
    "## Output",
    ...(output.trim() === "" ? ["It printed nothing."] : [fenced(lastOf(output))]),
    "",
  ].join("\n");
}

/** For the implementer: the commit subjects that do not have the project's form. */
export function styleReport(subjects: readonly string[]): string {
  return ["# Commit subjects", ...section("Not in the project's form", subjects.map(line)), ""].join("\n");
}

/** For the implementer: the files in which its commits and the default branch disagree. Git may name none. */
export function conflictReport(files: readonly string[]): string {
  return [
    "# Conflict with the default branch",
    "",
    "Your commits could not be replayed onto the default branch as it is now.",
    ...section("Files in conflict", files.map(line)),
    "",
  ].join("\n");
}

function section(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const rest = items.length - MOST_LINES;
  return [
    "",
    `## ${title}`,
    ...items.slice(0, MOST_LINES).map((item) => `- ${item}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}

/** What went wrong stands at the end of what a tool prints. */
function lastOf(output: string): string {
  if (output.length <= OUTPUT_CHARACTERS) return output;
  return `[cut off: ${output.length - OUTPUT_CHARACTERS} characters before this]\n${output.slice(-OUTPUT_CHARACTERS)}`;
}

function line(text: string): string {
  return cutText(plainText(text), LINE_CHARACTERS);
}
