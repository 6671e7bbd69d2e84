import type { ProjectConfig } from "../core/config/project-schema.js";
import { flaggedContent } from "../core/land/content/unusual-content.js";
import { type WorkFlag, workFlag } from "../core/land/work-flag.js";
import { landWords } from "../core/replies/land/land.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { Accepted } from "../core/run/tick/tick-facts.js";
import { doubtfulWords, pathsOutside, undeclaredPaths } from "../core/schedule/undeclared-paths.js";
import { UserError } from "../lib/user-error.js";
import type { Candidate, Repo } from "../ports/repo.js";
import { refusalData } from "./refusal-data.js";

type AcceptedSlot = Pick<Slot, "bead" | "footprint">;
type AcceptRules = Pick<ProjectConfig, "land">;

/** Makes a candidate of what the agents left. From here on they have no say in it, and unsigned means refused. */
export async function acceptWork(slot: AcceptedSlot, repo: Repo, rules: AcceptRules): Promise<Accepted> {
  const { bead } = slot;
  // A remote that is out of reach is no fault of the work: it is asked for again with the next tick.
  const { branch } = await repo.fetchBase();
  try {
    const made = await repo.candidate(bead);
    if (made === null) return { kind: "failed", why: landWords.nothingToLand() };
    const { base, head } = await repo.sign(bead, made);
    await repo.keep(bead, head);
    const { total, paths, content } = await repo.range({ base, head });
    const { flags, ...found } = await compareFootprint(slot, { base, head, paths }, { repo, rules });
    const { max_file_mb: maxFileMb, max_files: maxFiles } = rules.land;
    const unusual = flaggedContent(content, { maxFileMb, maxFiles }).flatMap(
      ({ kind, paths: looked }) => workFlag(kind, looked) ?? [],
    );
    const what = { branch, from: made.head, base, head, commits: total };
    return { kind: "accepted", ...what, flags: [...flags, ...unusual], ...found };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: "failed", why: error.message };
  }
}

/** What the commits change, beside what the bead's labels declared. */
async function compareFootprint(
  { footprint: { writes } }: AcceptedSlot,
  { base, paths }: Candidate & { readonly paths: readonly string[] },
  { repo, rules }: { readonly repo: Repo; readonly rules: AcceptRules },
): Promise<
  Pick<Extract<Accepted, { kind: "accepted" }>, "outside" | "refusal"> & { readonly flags: WorkFlag[] }
> {
  const there = await repo.present(base, doubtfulWords(writes, paths));
  const undeclared = undeclaredPaths(writes, paths, there);
  const flags: WorkFlag[] = [workFlag("undeclared", undeclared)].flatMap((flag) => flag ?? []);
  const blocks = undeclared.length > 0 && rules.land.undeclared === "block";
  return {
    flags,
    outside: pathsOutside(writes, paths),
    ...(blocks && { refusal: refusalData({ kind: "undeclared", paths: undeclared, writes }) }),
  };
}
