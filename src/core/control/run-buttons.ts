import type { ControlCommand } from "./control-command.js";

export type ButtonName = "drain" | "retry" | "stop";

interface RunButton {
  /** GitHub takes 20 characters. */
  readonly label: string;
  /** GitHub takes 40 characters. */
  readonly description: string;
  readonly command: ControlCommand & { readonly verb: ButtonName };
}

/**
 * The buttons on the check run of a run, and what each asks for. Their names are all that a press carries: which run is
 * meant stands in the check run itself.
 */
export const RUN_BUTTONS: Readonly<Record<ButtonName, RunButton>> = {
  drain: {
    label: "Drain",
    description: "Start nothing new, then end the run",
    command: { verb: "drain" },
  },
  retry: {
    label: "Retry failed",
    description: "Let all blocked beads try again",
    command: { verb: "retry", bead: null, all: { reason: null } },
  },
  stop: {
    label: "Stop",
    description: "Stop its agents and end the run",
    command: { verb: "stop", bead: null, run: true, force: false, hold: false, drain: true },
  },
};

export function isButton(name: string): name is ButtonName {
  return Object.hasOwn(RUN_BUTTONS, name);
}

/** Those that have a use: a run that is over can only be told to try again what it left blocked. */
export function usefulButtons(over: boolean, stuck: boolean): readonly ButtonName[] {
  return [
    ...(over ? [] : (["drain"] as const)),
    ...(stuck ? (["retry"] as const) : []),
    ...(over ? [] : (["stop"] as const)),
  ];
}

/** The id by which the check run of a run is known, and the run that one names; null for any other. */
export function checkIdOf(run: string, name: string): string {
  return `${run} ${name}`;
}

export function runOfCheck(externalId: string): string | null {
  return (
    /^([A-Za-z0-9][A-Za-z0-9._-]{0,127}) koryph \/ (?:run|wave [0-9]+)$(?!\n)/.exec(externalId)?.[1] ?? null
  );
}
