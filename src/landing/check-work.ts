import type { ProjectConfig } from "../core/config/project-schema.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { landsByItself } from "../core/run/tick/next-step.js";
import type { Checked, RunOptions } from "../core/run/tick/tick-facts.js";
import type { Repo } from "../ports/repo.js";
import type { SlotFolders } from "../ports/slot-folders.js";
import { checkBranch } from "./check-branch.js";
import { keepReport } from "./keep-report.js";
import { landRules } from "./land-rules.js";
import { refusalData } from "./refusal-data.js";

interface CheckContext {
  readonly parts: { readonly repo: Repo; readonly folders: Pick<SlotFolders, "writeReport"> };
  readonly settings: { readonly config: ProjectConfig; readonly options: RunOptions };
}

/** Looks at a slot's candidate before its review. The report of what is wrong lies ready before anybody hears of it. */
export async function checkWork(slot: Slot, { parts, settings }: CheckContext): Promise<Checked> {
  const { config, options } = settings;
  const landsNext = landsByItself(slot, options);
  const rules = { ...landRules(config), method: config.merge_method, allowProtected: false, landsNext };
  const found = await checkBranch(slot, parts.repo, rules);
  if (found.kind === "sound") return found;
  await keepReport(slot, found.refusal, parts.folders);
  return { kind: "refused", refusal: refusalData(found.refusal) };
}
