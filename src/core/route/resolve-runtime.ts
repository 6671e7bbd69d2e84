import { plainText } from "../../lib/plain-text.js";
import { builtInRuntime, RUNTIMES } from "../runtimes/runtimes.js";

/** `command`, and any further name, needs a program in the project file. */
export const BUILT_IN_RUNTIMES: readonly string[] = [...RUNTIMES.map(({ name }) => name), "command"];

export interface RuntimeRequest {
  readonly labels: readonly string[];
  /** `default_runtime`. */
  readonly configured: string;
  readonly runtimes: Readonly<
    Record<string, { readonly enabled: boolean; readonly command?: readonly string[] | undefined }>
  >;
}

export type RuntimeChoice =
  | { readonly kind: "chosen"; readonly runtime: string; readonly rationale: string }
  | { readonly kind: "refused"; readonly reason: string };

const PREFIX = "runtime:";

/**
 * Which runtime a bead runs on, and why; or why it cannot be run on the one its label asks for. A label is
 * anyone's word, so one that names nothing usable holds back its own bead and no other.
 */
export function resolveRuntime(request: RuntimeRequest): RuntimeChoice {
  const asked = [...new Set(request.labels.filter((label) => label.startsWith(PREFIX)))].sort();
  const [label, second] = asked;
  if (second !== undefined) return refused(`labels ${asked.map(plainText).join(" and ")} disagree`);
  const runtime = label?.slice(PREFIX.length) ?? request.configured;
  const rationale = label === undefined ? "project default_runtime" : `label ${plainText(label)}`;
  const problem = unusable(runtime, request.runtimes);
  return problem === null ? { kind: "chosen", runtime, rationale } : refused(`${problem} (${rationale})`);
}

/** Why no bead can run on a runtime, whatever its model; null when beads can. */
export function unusableRuntime(
  runtime: string,
  runtimes: RuntimeRequest["runtimes"],
): "off" | "no-program" | "unknown" | null {
  const own = Object.hasOwn(runtimes, runtime) ? runtimes[runtime] : undefined;
  if (own?.enabled === false) return "off";
  if (own?.command !== undefined) return null;
  if (runtime === "command") return "no-program";
  return BUILT_IN_RUNTIMES.includes(runtime) ? null : "unknown";
}

function unusable(runtime: string, runtimes: RuntimeRequest["runtimes"]): string | null {
  const name = plainText(runtime) || "without a name";
  switch (unusableRuntime(runtime, runtimes)) {
    case null:
      return null;
    case "off":
      return `runtime ${name} is switched off`;
    case "no-program":
      return `runtime ${name} has no program to run`;
    case "unknown":
      return `there is no runtime ${name}`;
  }
}

/** Whether beads choose its model: a program of the project's own gets one only where somebody names one. */
export function takesModel(runtime: string): boolean {
  return builtInRuntime(runtime) !== null;
}

/** Why a runtime does not know a model, which it would only find out once it was started; null when it may. */
export function modelMisfit(
  { runtime, rationale }: { readonly runtime: string; readonly rationale: string },
  model: string,
): string | null {
  const builtIn = builtInRuntime(runtime);
  if (builtIn === null) return null;
  const { form, example } = builtIn.models;
  const none = `model ${plainText(model)} is none for ${runtime}`;
  if (form && !form.pattern.test(model))
    return `${none}, which takes ${form.words}, such as ${example} (${rationale})`;
  return isAliasOfAnother(runtime, model)
    ? `${none}: a model: label or model_map can name one, such as ${example} (${rationale})`
    : null;
}

function isAliasOfAnother(runtime: string, model: string): boolean {
  return RUNTIMES.some(({ name, models }) => name !== runtime && models.aliases.includes(model));
}

function refused(reason: string): RuntimeChoice {
  return { kind: "refused", reason };
}
