import type { Command } from "commander";
import { DetachedProcesses } from "../../../adapters/process/detached-processes.js";
import { docsPath } from "../../../adapters/project/docs-path.js";
import { openWorkSource } from "../../../adapters/work/open-work-source.js";
import { landWords } from "../../../core/replies/land/land.js";
import { pullsAdvice, syncedJson, syncedLine, syncWords } from "../../../core/replies/pulls/sync-text.js";
import type { Slot } from "../../../core/run/ledger/slot.js";
import { settleLanding } from "../../../landing/settle-landing.js";
import { UserError } from "../../../lib/user-error.js";
import type { Pulls, PullsAccess } from "../../../ports/pulls.js";
import { syncPulls } from "../../../pulls/sync-pulls.js";
import { openClones } from "../../../wiring/start-engine.js";
import { wireLanding } from "../../../wiring/wire-landing.js";
import { type WiredProject, wireProject } from "../../../wiring/wire-project.js";
import { wirePulls } from "../../../wiring/wire-pulls.js";
import type { Surface } from "../../program.js";
import { projectFolder } from "../../wiring/project-folder.js";

export function addPrSync(command: Command, surface: Surface): void {
  command
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it; the rest goes to standard error`)
    .action((flags: { readonly json?: true }) => prSync(surface, flags));
}

async function prSync({ program, terminal, version }: Surface, { json }: { readonly json?: true }) {
  const project = await wireProject(projectFolder(program), version);
  const { ledger } = project;
  const say = json ? terminal.err : terminal.out;
  const synced = await syncPulls({ ledger, pulls: requirePulls(await wirePulls(project)) });
  if (json) terminal.out(JSON.stringify(syncedJson(synced), null, 2));
  const news = synced.filter(({ change }) => change.kind !== "none");
  for (const each of news) say(syncedLine(each));
  if (synced.length === 0) say(syncWords.nothing());
  else if (news.length < synced.length) say(syncWords.same(synced.length - news.length));
  await settleMerged(project, say);
  await ledger.share("now");
}

function requirePulls(access: PullsAccess): Pulls {
  switch (access.kind) {
    case "pulls":
      return access.pulls;
    case "no_remote":
      throw UserError.of(pullsAdvice.no_remote());
    case "not_github":
      throw UserError.of(pullsAdvice.not_github(access.host));
    case "no_token":
      throw UserError.of(pullsAdvice.no_token(access.host));
  }
}

/** Closes the beads whose pull requests were merged, also those that an earlier call or the App heard of. */
async function settleMerged(project: WiredProject, say: (line: string) => void): Promise<void> {
  const { ledger } = project;
  const { state } = await ledger.observe([]);
  const merged = Object.values(state.slots).filter(
    ({ status, settled, pull }) => status === "merged" && !settled && pull !== null,
  );
  if (merged.length === 0) return;
  const source = openWorkSource(project);
  const landing = await wireLanding(project, openClones(project), new DetachedProcesses());
  try {
    for (const slot of merged) await settleOne({ ...landing, ledger, source }, slot, say);
  } finally {
    await landing.close();
  }
}

async function settleOne(
  parts: Parameters<typeof settleLanding>[0],
  { bead, landed, candidate }: Slot,
  say: (line: string) => void,
): Promise<void> {
  const head = landed ?? "";
  try {
    const isThere = await settleLanding(parts, bead, { head, from: candidate?.from ?? null });
    say(isThere ? syncWords.settled(bead, head) : landWords.notThere(bead, head));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    say(syncWords.unsettled(bead, error.message));
  }
}
