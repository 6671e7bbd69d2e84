import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readBead } from "../../core/config/bead-record.js";
import { readJson } from "../../core/config/read-json.js";
import type { Bead } from "../../core/model/bead.js";
import { workAdvice } from "../../core/replies/config/work.js";
import { workFileAdvice } from "../../core/replies/config/work-file.js";
import { memberText, withMember } from "../../lib/json-members.js";
import { UserError } from "../../lib/user-error.js";
import { OutsideFault } from "../../ports/outside-fault.js";
import { replaceFile } from "../files/replace-file.js";
import { withLock } from "../home/lock-file.js";
import { WORK_FILE, workFileVersion } from "./plain-work-file.js";
import { readWorkFile } from "./read-work-file.js";

/** One bead's line, as its writer sees it. Values are JSON texts. */
export interface BeadLine {
  readonly bead: Bead;
  /** The JSON text of a field, or null when the line has no such field. */
  field(key: string): string | null;
}

/** What becomes of a line: the fields to set (none leaves the file untouched), and what to tell the caller. */
export interface LineChange<T> {
  readonly set: Readonly<Record<string, string>>;
  readonly answer: T;
}

const MAX_RETRIES = 20;

/**
 * Changes fields of one bead in the work file. Every other line and every other field stay byte for byte.
 * Null when the bead does not exist. A malformed file is refused as a whole, and nothing is changed.
 */
export async function changeBead<T>(
  root: string,
  id: string,
  decide: (line: BeadLine) => LineChange<T>,
): Promise<T | null> {
  const path = join(root, WORK_FILE);
  try {
    return await withLock(`${path}.lock`, { what: path }, async () => {
      for (let tries = 0; tries < MAX_RETRIES; tries += 1) {
        const version = workFileVersion(root);
        const found = findLine(readFileSync(path), path, id);
        if (found === null) return null;
        const { set, answer } = decide(found.line);
        if (Object.keys(set).length === 0) return answer;
        // Somebody with an editor knows nothing of our lock. Looking again just before the swap leaves them
        // a gap of microseconds instead of one as long as a write.
        const stillWanted = async () => workFileVersion(root) === version;
        const { mode, uid, gid } = statSync(path);
        const options = { mode: mode & 0o7777, owner: { uid, gid }, stillWanted };
        if (await replaceFile(path, found.with(set), options)) return answer;
      }
      throw new OutsideFault(workFileAdvice.restless(path));
    });
  } catch (error) {
    if (error instanceof UserError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new OutsideFault(workFileAdvice.unwritable(path, (error as Error).message));
  }
}

interface FoundLine {
  readonly line: BeadLine;
  with(fields: Readonly<Record<string, string>>): Buffer;
}

function findLine(content: Buffer, path: string, id: string): FoundLine | null {
  const reading = readWorkFile(content.toString("utf8"));
  if ("problems" in reading) throw UserError.of(workAdvice.malformed(path, reading.problems));
  const bead = reading.beads.find((each) => each.id === id);
  if (bead === undefined) return null;
  // One character per byte: what is not valid UTF-8 would not survive being decoded and encoded again.
  const lines = content.toString("latin1").split("\n");
  const index = lines.findIndex((line) => beadIdOf(line) === id);
  const text = lines[index];
  if (text === undefined) throw new Error(`${path}: bead ${id} was read but its line is not found`);
  return {
    line: { bead, field: (key) => utf8(memberText(text, key)) },
    with(fields) {
      let changed = text;
      for (const [key, value] of Object.entries(fields)) changed = withMember(changed, key, latin1(value));
      return Buffer.from(lines.with(index, changed).join("\n"), "latin1");
    },
  };
}

function beadIdOf(line: string): string | null {
  const json = line.trim() === "" ? null : readJson(line.replace(/^\xEF\xBB\xBF/, ""));
  if (json?.kind !== "json") return null;
  const reading = readBead(json.data);
  return reading.kind === "bead" ? reading.bead.id : null;
}

function utf8(text: string | null): string | null {
  return text === null ? null : Buffer.from(text, "latin1").toString("utf8");
}

function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
