import type { RunningCommand } from "../core/land/land-progress.js";
import type { GateRunner, PullRefusal } from "../core/land/pull/pull-refusal.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { GateSettings } from "../landing/ask-base.js";
import { type AskBase, judgeRed } from "../landing/judge-red.js";
import type { Gate } from "../ports/gate.js";
import type { SlotFolders } from "../ports/slot-folders.js";
import type { LandPullParts, LandPullSettings } from "./gather-land-facts.js";

/** The project's own commands on what is to land. */
export interface PullGate {
  readonly by: GateRunner;
  readonly commands: readonly string[];
  /** `base` is the commit that it would land on. */
  run(landing: Landing, base: string, settings: Pick<LandPullSettings, "evidence">): Promise<PullGateEnd>;
}

type PullGateEnd =
  | { readonly kind: "green" }
  /** A runner is at it. */
  | { readonly kind: "waits"; readonly refusal: PullRefusal }
  | { readonly kind: "refused"; readonly refusal: PullRefusal }
  | { readonly kind: "stopped" };

export interface PullGateParts {
  readonly gate: Gate;
  readonly folders: Pick<SlotFolders, "openGate">;
  readonly settings: GateSettings;
  /** Absent where the base branch may be red: then a red gate is always the pull request's own. */
  readonly askBase: AskBase | undefined;
  readonly progress: NonNullable<LandPullParts["progress"]>;
  readonly abort: AbortSignal;
}

/** Runs the gate on this machine. A check that an interrupted process left is gone on with. */
export function pullGate(parts: PullGateParts): PullGate {
  const { gate, folders, settings, askBase, progress, abort } = parts;
  return {
    ...{ by: "here", commands: settings.commands },
    async run(landing, base) {
      const { bead, head, id } = landing;
      const { commands } = settings;
      if ((await gate.recall({ head, commands, accept: "green" })) !== null) return { kind: "green" };
      progress(landing, { kind: "gate", head });
      const folder = await folders.openGate(bead, id);
      const onCommand = (running: RunningCommand) => progress(landing, { kind: "command", ...running });
      const answer = await gate.run({ ...settings, bead, head, accept: "green", folder, abort, onCommand });
      if (answer.kind !== "red") return answer;
      const tell = (step: Parameters<typeof progress>[1]) => progress(landing, step);
      const refusal = await judgeRed(answer, { base, askBase, tell });
      if (refusal === null) return { kind: "stopped" };
      const { command, code: exit, output } = refusal.kind === "base_red" ? refusal : answer;
      return {
        kind: "refused",
        refusal:
          refusal.kind === "base_red"
            ? { code: "base_red", base, command, exit, output }
            : { code: "gate_failed", command, exit, output },
      };
    },
  };
}
