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
  /** The model the bead is to run on. */
  readonly model: string;
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
  const own = Object.hasOwn(request.runtimes, runtime) ? request.runtimes[runtime] : undefined;
  const problem = unusable(runtime, own) ?? misfit(runtime, own, request.model);
  return problem === null ? { kind: "chosen", runtime, rationale } : refused(`${problem} (${rationale})`);
}

type Own = RuntimeRequest["runtimes"][string] | undefined;

function unusable(runtime: string, own: Own): string | null {
  const name = plainText(runtime) || "without a name";
  if (own?.enabled === false) return `runtime ${name} is switched off`;
  if (own?.command !== undefined) return null;
  if (runtime === "command") return "runtime command has no program to run";
  return BUILT_IN_RUNTIMES.includes(runtime) ? null : `there is no runtime ${name}`;
}

/** A model's name that the runtime would only find out about after it was started. */
function misfit(runtime: string, own: Own, model: string): string | null {
  const builtIn = builtInRuntime(runtime);
  if (builtIn === null) return null;
  const { form, example } = builtIn.models;
  const none = `model ${plainText(model)} is none for ${runtime}`;
  if (form && !form.pattern.test(model)) return `${none}, which takes ${form.words}, such as ${example}`;
  // A program of the project's own may have a provider with names of its own.
  if (own?.command === undefined && isAliasOfAnother(runtime, model)) {
    return `${none}: a model: label or model_map can name one, such as ${example}`;
  }
  return null;
}

function isAliasOfAnother(runtime: string, model: string): boolean {
  return RUNTIMES.some(({ name, models }) => name !== runtime && models.aliases.includes(model));
}

function refused(reason: string): RuntimeChoice {
  return { kind: "refused", reason };
}
