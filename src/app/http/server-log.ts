import { type Logger, pino } from "pino";
import { redact } from "../../core/redact.js";
import { plainLines, plainText, UNSAFE } from "../../lib/plain-text.js";

export type ServerLog = Logger;
/** What handlers tell of their work, wherever they run. */
export type AppLog = Pick<ServerLog, "debug" | "info" | "warn" | "error">;

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ["json", "pretty"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface ServerLogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Values that must not be written whatever they look like and wherever they stand. */
  readonly secrets: readonly string[];
  readonly write: (line: string) => void;
}

/** Each line passes through here whole, so that no library's way of logging gets around it. */
export function openLog({ level, format, secrets, write }: ServerLogOptions): ServerLog {
  const hidden = secrets.filter((secret) => secret !== "");
  const hide = (_: string, value: unknown) =>
    typeof value === "string"
      ? hidden.reduce((text, each) => text.replaceAll(each, "[redacted]"), value)
      : value;
  const asText = format === "json" ? asciiControls : prettyLine;
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    // The strings of a line are looked at one by one: in the line as a whole, quotes and line ends are escaped.
    { write: (line: string) => write(asText(JSON.stringify(redact(JSON.parse(line)), hide))) },
  );
}

/** The same JSON: what would end a line or move a cursor is written as an escape, as JSON itself does for most of it. */
function asciiControls(line: string): string {
  return line.replace(UNSAFE, (found) =>
    Array.from({ length: found.length }, (_, at) => {
      return `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}

/** `12:30:05 warn  what happened  {"rest":"of it"}`, and the stack of an error below it. */
function prettyLine(line: string): string {
  const { time, level, msg, name, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const stack = (err as { stack?: unknown } | undefined)?.stack;
  const label = pino.levels.labels[Number(level)] ?? "";
  const facts = stack === undefined && err !== undefined ? { ...rest, err } : rest;
  // One line for each, so that no message can look like another line of the log.
  const words = [String(time).slice(11, 19), label.padEnd(5), plainText(String(msg ?? ""))];
  if (Object.keys(facts).length > 0) words.push(plainText(JSON.stringify(facts)));
  // A stack begins with the error's message, which may be anybody's words.
  const below = typeof stack === "string" ? `\n${plainLines(stack).replaceAll(/^/gm, "    ")}` : "";
  return words.join(" ") + below;
}
