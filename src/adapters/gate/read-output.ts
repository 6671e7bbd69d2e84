import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { withoutEscapes } from "../../core/land/find-places.js";
import { redactText } from "../../core/redact.js";
import { plainLines } from "../../lib/plain-text.js";
import { SLOT_FILES } from "../process/slot-files.js";

const MOST_CHARACTERS = 16_000;
/** More than is kept, so that a secret which begins before the kept part is recognised all the same. */
const TAIL_BYTES = 192 * 1024;
const ERROR_BYTES = 4 * 1024;

/** The end of what a command printed, without colours and secrets, and what kept it from being started. */
export async function readOutput(folder: string): Promise<string> {
  const [output, errors] = await Promise.all([
    tail(join(folder, SLOT_FILES.output), TAIL_BYTES),
    tail(join(folder, SLOT_FILES.errors), ERROR_BYTES),
  ]);
  return redactText(plainLines(withoutEscapes([output, errors].filter((text) => text !== "").join("\n"))));
}

/** The part that is kept: at most 16,000 characters, the note included, from the beginning of a line on. */
export function keptOutput(output: string, note: string | null): string {
  const closing = note === null ? "" : `\n${note}`;
  const text = output.trimEnd();
  const room = MOST_CHARACTERS - closing.length;
  if (text.length <= room) return `${text}${closing}`.trimStart();
  return `${fromLineStart(text.slice(-room))}${closing}`;
}

/** A cut goes through the middle of a line, and maybe of a character; a text of one line is left as it is. */
function fromLineStart(text: string): string {
  const start = text.indexOf("\n") + 1;
  return start > 0 && start < text.length ? text.slice(start) : text.replace(/^[\udc00-\udfff]/, "");
}

/** Empty unless it is an ordinary file. */
async function tail(path: string, bytes: number): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (file === null) return "";
  try {
    const found = await file.stat();
    if (!found.isFile()) return "";
    const from = Math.max(0, found.size - bytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, from);
    const text = buffer.toString("utf8", 0, bytesRead);
    return from === 0 ? text : fromLineStart(text);
  } finally {
    await file.close();
  }
}
