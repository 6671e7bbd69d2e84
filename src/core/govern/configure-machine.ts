import type { GovernorState } from "./governor-state.js";

/** What a person sets for the whole machine; what is absent stays. */
export interface MachineChoice {
  readonly ceiling?: number | undefined;
  /** By kind; null takes back what was set. */
  readonly capacities?: Readonly<Record<string, number | null>> | undefined;
  /** In MiB; null for a share of the machine's memory. */
  readonly memoryFloorMb?: number | null | undefined;
}

/** Sets what counts for all pools. Agents at work keep their places. */
export function configureMachine(state: GovernorState, choice: MachineChoice): GovernorState {
  const { ceiling = state.ceiling, capacities = {}, memoryFloorMb = state.memoryFloorMb } = choice;
  const wanted = new Map<string, number | null>([
    ...Object.entries(state.capacities),
    ...Object.entries(capacities),
  ]);
  const set = [...wanted].flatMap(([kind, places]) => (places === null ? [] : [[kind, places] as const]));
  return { ...state, ceiling, capacities: Object.fromEntries(set), memoryFloorMb };
}
