import { plainText } from "../../lib/plain-text.js";

/** `command`, and any further name, needs a program in the project file. */
export const BUILT_IN_RUNTIMES = ["claude", "codex", "opencode", "command"] as const;

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
/** Names that Claude Code understands and no other program does. */
const CLAUDE_MODELS: ReadonlySet<string> = new Set(["haiku", "sonnet", "opus", "fable"]);

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
  return BUILT_IN_RUNTIMES.some((known) => known === runtime) ? null : `there is no runtime ${name}`;
}

/** A model's name that the runtime would only find out about after it was started. */
function misfit(runtime: string, own: Own, model: string): string | null {
  const name = plainText(model);
  if (runtime === "opencode" && !/^[^/]+\/./.test(model)) {
    return `model ${name} is none for opencode, which takes provider/model, such as openai/gpt-5.5`;
  }
  // A program of the project's own may have a provider with names of its own.
  if (runtime === "codex" && own?.command === undefined && CLAUDE_MODELS.has(model)) {
    return `model ${name} is none for codex: a model: label or model_map can name one, such as gpt-5.5`;
  }
  return null;
}

function refused(reason: string): RuntimeChoice {
  return { kind: "refused", reason };
}
