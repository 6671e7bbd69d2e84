import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { writeAtomically } from "../../adapters/files/write-atomically.js";
import { verifyChain } from "../../adapters/git/receipts/verify-chain.js";
import { reportAdvice } from "../../core/replies/report/report-words.js";
import { runPage } from "../../core/replies/report/run-page.js";
import { RunTeller } from "../../core/run/plan/retell-run.js";
import { UserError } from "../../lib/user-error.js";
import type { WiredProject } from "../../wiring/wire-project.js";
import { knownRefs } from "./known-refs.js";

export interface WrittenPage {
  readonly run: string;
  readonly path: string;
}

/** Writes a run as one page: the newest one unless told, below `$KORYPH_HOME` unless told. */
export async function writeRunPage(
  project: WiredProject,
  { run, out }: { readonly run?: string | undefined; readonly out?: string | undefined },
): Promise<WrittenPage> {
  const { config, home, ledger, version } = project;
  const teller = new RunTeller();
  for await (const { reading, repeat } of ledger.log()) if (!repeat) teller.hear(reading);
  const now = Date.now();
  const found = teller.run(run ?? null, now);
  if (found === null) throw UserError.of(reportAdvice.noRun(run ?? null, teller.ids));
  const { report } = found;
  const landed = new Set(report.groups.flat().map(({ landed }) => landed));
  const { tip, branch } = await knownRefs(project);
  const repo = home.repository(config.project_id);
  const { receipts } = await verifyChain({ repo, tip, branch, about: "all", anchor: null });
  const page = runPage({
    ...{ ...found, project: config.project_id, version },
    receipts: receipts.filter(({ statement }) => landed.has(statement?.predicate.head ?? "")),
  });
  const path = out === undefined ? home.runPage(config.project_id, report.run) : resolve(out);
  try {
    if (out === undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeAtomically(path, page);
  } catch (error) {
    throw UserError.of(reportAdvice.unwritable(path, (error as Error).message));
  }
  return { run: report.run, path };
}
