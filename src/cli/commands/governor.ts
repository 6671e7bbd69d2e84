import { type Command, InvalidArgumentError, Option } from "commander";
import { GovernorFile } from "../../adapters/govern/governor-file.js";
import { AuditLog } from "../../adapters/home/audit-log.js";
import { openHome } from "../../adapters/home/koryph-home.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { configureMachine } from "../../core/govern/configure-machine.js";
import { configurePool } from "../../core/govern/configure-pool.js";
import { governorStanding } from "../../core/govern/governor-standing.js";
import { type GovernorState, poolOf } from "../../core/govern/governor-state.js";
import { governorAdvice, governorSet } from "../../core/replies/govern/governor.js";
import { governorJson, governorText } from "../../core/replies/govern/governor-text.js";
import { poolOfTitle } from "../../core/runtimes/pool-of-agent.js";
import { UserError } from "../../lib/user-error.js";
import { lookAtMachine } from "../../wiring/look-at-machine.js";
import { positiveNumber } from "../arguments.js";
import type { Surface } from "../program.js";
import { operatorName } from "../wiring/operator-name.js";

interface SetFlags {
  readonly ceiling?: number;
  readonly pool?: string;
  readonly cap?: number;
  readonly hardMax?: number | "auto";
  readonly adaptive?: "on" | "off";
  readonly resource?: Readonly<Record<string, number | null>>;
  readonly memoryFloor?: number | "auto";
}

export function addGovernor(governor: Command, { terminal }: Surface): void {
  governor
    .command("show")
    .description("who has which place on this machine, and how many there are")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ json }: { json?: true }) => {
      const machine = await lookAtMachine();
      if ("problem" in machine) throw new UserError(machine.problem, machine.hint);
      const { state, dead, now, ...memory } = machine;
      const standing = governorStanding(state, dead, now);
      if (json) return terminal.out(JSON.stringify(governorJson(standing, memory), null, 2));
      terminal.out(governorText(standing, memory, now).join("\n"));
    });
  governor
    .command("set")
    .description(
      "change how many agents this machine and its accounts bear; agents at work keep their places",
    )
    .option("--ceiling <n>", "agents on this machine, over all accounts", positiveNumber)
    .option("--pool <name>", "the account that the next three are about; claude unless given")
    .option("--cap <n>", "agents on the account", positiveNumber)
    .option("--hard-max <n>", "the adaptive cap grows no further; auto is twice the cap", numberOrAuto)
    .addOption(
      new Option("--adaptive <state>", "whether rate limits move the account's cap").choices(["on", "off"]),
    )
    .option("--resource <kind=n>", "places of res:<kind>; kind=auto as its project says; repeatable", places)
    .option("--memory-floor <mib>", "memory that stays free; auto is an eighth of all", floor)
    .action(async (flags: SetFlags) => {
      if (Object.keys(flags).every((name) => name === "pool"))
        throw UserError.of(governorAdvice.nothingToSet());
      const home = await openHome();
      const changed = await new GovernorFile(home).change((state) => {
        const after = configured(state, flags, Date.now());
        const same = JSON.stringify(settingsOf(after)) === JSON.stringify(settingsOf(state));
        return { state: same ? state : after, answer: !same };
      });
      if (changed)
        await new AuditLog(home.auditLog).record({
          kind: "governor-set",
          projectId: null,
          actor: operatorName(),
          detail: flags,
        });
      terminal.out(governorSet(changed));
    });
}

function configured(state: GovernorState, flags: SetFlags, now: number): GovernorState {
  const { ceiling, resource, memoryFloor, cap, hardMax, adaptive } = flags;
  const machine = configureMachine(state, {
    ceiling,
    capacities: resource,
    memoryFloorMb: memoryFloor === "auto" ? null : memoryFloor,
  });
  if (cap === undefined && hardMax === undefined && adaptive === undefined) return machine;
  const before = poolOf(machine, poolOfTitle(flags.pool ?? ""), now);
  const choice = {
    pool: before.pool,
    adaptive: adaptive === undefined ? before.adaptive : adaptive === "on",
    cap: cap ?? before.cap,
    seededCap: null,
    hardMax: hardMax === undefined ? before.hardMax : hardMax === "auto" ? null : hardMax,
  };
  return configurePool(machine, choice, now);
}

/** What a person set, without what happens by itself. */
function settingsOf({ ceiling, capacities, memoryFloorMb, pools }: GovernorState) {
  return {
    ...{ ceiling, capacities, memoryFloorMb },
    pools: pools.map(({ pool, adaptive, cap, hardMax }) => ({ pool, adaptive, cap, hardMax })),
  };
}

function numberOrAuto(text: string): number | "auto" {
  return text === "auto" ? text : positiveNumber(text);
}

function floor(text: string): number | "auto" {
  if (text === "auto") return text;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It takes MiB as a whole number, or auto.");
  return Number(text);
}

function places(text: string, before: Readonly<Record<string, number | null>> = {}) {
  const [, kind, count] = /^([a-z0-9-]+)=(\d{1,6}|auto)$/.exec(text) ?? [];
  if (kind === undefined || count === undefined)
    throw new InvalidArgumentError("It takes a kind and its places, such as gpu=2 or gpu=auto.");
  return { ...before, [kind]: count === "auto" ? null : Number(count) };
}
