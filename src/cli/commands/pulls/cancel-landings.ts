import { type LandTarget, pullToLand } from "../../../core/land/pull/land-target.js";
import { notWithdrawnJson, withdrawnJson } from "../../../core/replies/land/pull/pull-landing-json.js";
import { notWithdrawnAdvice, pullLandLines } from "../../../core/replies/land/pull/pull-terminal.js";
import { type Withdrawal, withdrawPullLanding } from "../../../pulls/withdraw-landing.js";
import { wireProject } from "../../../wiring/wire-project.js";
import type { Surface } from "../../program.js";
import { sayAdvice } from "../../text/say-advice.js";
import { projectFolder } from "../../wiring/project-folder.js";

/** Takes pull requests out of the landing queue. The queue is in the ledger, so GitHub is not asked. */
export async function cancelLandings(
  { program, terminal, version, exit }: Surface,
  targets: readonly LandTarget[],
  { json }: { readonly json?: true },
): Promise<void> {
  const { ledger } = await wireProject(projectFolder(program), version);
  const told: object[] = [];
  let refused = 0;
  for (const target of targets) {
    const { state } = await ledger.refresh();
    const pull = pullToLand(target, state.slots);
    const name = target.kind === "bead" ? target.bead : `#${target.pull}`;
    const withdrawal: Withdrawal =
      pull === null
        ? { kind: "refused", refusal: { code: "not_queued" } }
        : await withdrawPullLanding(ledger, pull);
    if (withdrawal.kind === "refused") {
      refused += 1;
      sayAdvice(terminal, notWithdrawnAdvice(name, withdrawal.refusal));
      told.push(notWithdrawnJson(name, pull, withdrawal.refusal));
      continue;
    }
    const { landing } = withdrawal;
    const bead = state.slots[landing.bead] === undefined ? null : landing.bead;
    if (!json) terminal.out(pullLandLines.withdrawn(name, landing.head));
    told.push(withdrawnJson({ pull: landing.pull ?? 0, bead }));
  }
  if (json) terminal.out(JSON.stringify(told.length === 1 ? told[0] : { landings: told }, null, 2));
  exit(refused === 0 ? 0 : 1);
}
