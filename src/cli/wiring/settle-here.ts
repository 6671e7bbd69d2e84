import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { settleLanding } from "../../landing/settle-landing.js";
import type { WiredLanding } from "../../wiring/wire-landing.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** Closes a landed bead and removes what is left of its work here; false when the default branch does not have it. */
export async function settleHere(
  project: WiredProject,
  { repo, folders }: WiredLanding,
  bead: string,
  head: string,
): Promise<boolean> {
  const { ledger } = project;
  const source = openWorkSource(project);
  const from = (await ledger.observe([])).state.slots[bead]?.candidate?.from ?? null;
  return settleLanding({ ledger, repo, source, folders }, bead, { head, from });
}
