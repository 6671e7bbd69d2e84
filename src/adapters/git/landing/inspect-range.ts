import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { ORDINARY, type RangeContent } from "../../../core/land/content/range-content.js";
import type { FoundSecret } from "../../../core/land/secret-scan.js";
import type { Candidate } from "../../../ports/repo.js";
import { quietEnvironment } from "../exec/quiet-git.js";
import { streamGit } from "../exec/run-git.js";
import { judgeLog, type RangeReading } from "./judge-log.js";
import { EACH_COMMIT, HEADER, readRangeLog } from "./range-log.js";
import { RangeReader } from "./range-reader.js";
import { readContent } from "./read-content.js";

export interface InspectedRange extends RangeReading {
  readonly secrets: readonly FoundSecret[] | "too-much";
  readonly content: RangeContent;
}

const PATCH = [
  ...["--patch", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-prefix"],
  "--submodule=short",
];

/** Commits do not change, and a landing looks at them before each of its steps. */
const known = new LRUCache<string, InspectedRange>({ max: 64 });

/** What a landing asks of the commits of a range, by one look at the history: what they are, and what they add. */
export async function inspectRange(repo: string, { base, head }: Candidate): Promise<InspectedRange> {
  if (base === head)
    return { total: 0, commits: [], paths: [], findings: [], secrets: [], content: ORDINARY };
  const key = [repo, base, head].join("\0");
  const found = known.get(key) ?? (await readRange(repo, base, head));
  known.set(key, found);
  return found;
}

async function readRange(repo: string, base: string, tip: string): Promise<InspectedRange> {
  // A patch holds whatever somebody wrote. Nobody can have written what is made up now.
  const mark = randomBytes(16).toString("hex");
  const reader = new RangeReader(mark);
  const format = `--format=${mark}${HEADER}%n%an%n%cn%n%B${mark}`;
  const args = ["-c", "core.quotePath=false", ...EACH_COMMIT, ...PATCH, format, `${base}..${tip}`, "--"];
  for await (const piece of streamGit(repo, args, { env: quietEnvironment(repo) })) {
    reader.read(piece);
    if (!reader.isTooMuch) continue;
    const log = await readRangeLog(repo, `${base}..${tip}`);
    return { ...(await judgeLog(repo, { base, tip }, log)), secrets: "too-much", content: ORDINARY };
  }
  const { log, secrets, bidi } = reader.end();
  const [reading, content] = await Promise.all([
    judgeLog(repo, { base, tip }, log),
    log === null ? ORDINARY : readContent(repo, tip, log.changes),
  ]);
  return { ...reading, secrets, content: { ...content, bidi } };
}
