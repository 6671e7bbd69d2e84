import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workAdvice } from "../../core/replies/config/work.js";
import { UserError } from "../../lib/user-error.js";

/** A file for one program to read a text from, there only while `action` runs, for this user's eyes only. */
export async function withTextFile<T>(text: string, action: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "koryph-text-")).catch((error: Error) => {
    throw UserError.of(workAdvice.noTemp(tmpdir(), error.message));
  });
  try {
    const file = join(folder, "text.md");
    await writeFile(file, text, { mode: 0o600 });
    return await action(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
