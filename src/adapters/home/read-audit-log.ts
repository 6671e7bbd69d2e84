import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";

const Act = z.object({
  at: z.string(),
  kind: z.string(),
  project_id: z.string().nullable(),
  actor: z.string(),
  detail: z.unknown(),
});
/** One act on this machine, as its log has it. */
export type RecordedAct = z.infer<typeof Act>;

/** What the machine's log has of a project, or of no project, oldest first. Lines that make no sense are passed over. */
export async function readAuditLog(path: string, projectId: string): Promise<RecordedAct[]> {
  const acts: RecordedAct[] = [];
  for (const file of await files(path)) {
    const text = await readFile(file, "utf8").catch(() => "");
    for (const line of text.split("\n")) {
      const act = Act.safeParse(jsonOf(line)).data;
      if (act !== undefined && (act.project_id === null || act.project_id === projectId)) acts.push(act);
    }
  }
  return acts;
}

/** The ones that were moved aside, oldest first, then the one that is written to. */
async function files(path: string): Promise<string[]> {
  const stem = basename(path).replace(/\.jsonl$/, "");
  const names = await readdir(dirname(path)).catch((): string[] => []);
  const numbers = names.flatMap((name) => {
    const [, number] = new RegExp(`^${stem}-(\\d+)\\.jsonl$`).exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
  const aside = numbers.sort((x, y) => x - y).map((number) => join(dirname(path), `${stem}-${number}.jsonl`));
  return [...aside, path];
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
