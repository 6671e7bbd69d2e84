import { z } from "zod";
import { parseBeadId } from "../model/bead.js";
import { JOB_KINDS } from "../model/job-kind.js";
import { block, oneOf, text } from "./fields.js";
import { type Problem, problemsOf } from "./problems.js";

const MODES = ["plan", "run", "job", "events"] as const;
type Mode = (typeof MODES)[number];

const beadId = text("a bead id").refine((id) => parseBeadId(id) !== null, {
  error: "a bead id: letters, digits, dots, hyphens and underscores",
});
const model = text("a model name, such as sonnet", /^[\w.:/@[\]-]+$/);
const commit = text("a commit", /^[0-9a-f]{40,64}$/);

/** A workflow writes every input as text, and an empty one means that it was not given. */
function given<T extends z.ZodType>(field: T) {
  return z.preprocess(
    (raw) => (typeof raw === "string" && raw.trim() !== "" ? raw.trim() : undefined),
    field,
  );
}

/** Absent where it is off, as a flag that nobody gave. */
const onOrOff = given(
  oneOf(["true", "false"])
    .transform((word) => word === "true" || undefined)
    .optional(),
);

/** The inputs of `action.yml`, by the names they have there. */
export const ActionInputs = block({
  mode: given(oneOf(MODES).default("plan")),
  project: given(
    text("a folder's path without control characters", /^[^\u0000-\u001f\u007f]+$/).default("."),
  ),
  max: given(
    text("a whole number of at least 1", /^[1-9]\d{0,8}$/)
      .transform(Number)
      .optional(),
  ),
  parent: given(beadId.optional()),
  only: given(beadId.optional()),
  epic: given(beadId.optional()),
  model: given(model.optional()),
  "default-model": given(model.optional()),
  once: onOrOff,
  budget: given(
    text("a sum such as 12.50", /^\d{1,9}(\.\d{1,6})?$/)
      .transform(Number)
      .optional(),
  ),
  "dispatch-mode": given(oneOf(["rolling", "wave"]).optional()),
  review: onOrOff,
  "auto-merge": onOrOff,
  direct: onOrOff,
  "allow-red-base": onOrOff,
  "allow-api-spend": onOrOff,
  resume: onOrOff,
  strict: onOrOff,
  job: given(text("the id of a job", /^[0-9A-HJKMNP-TV-Z]{26}$/).optional()),
  kind: given(oneOf(JOB_KINDS).optional()),
  head: given(commit.optional()),
  base: given(commit.optional()),
  attempt: given(
    text("a whole number of at least 1", /^[1-9]\d?$/)
      .transform(Number)
      .optional(),
  ),
  token: given(text("a token").optional()),
  "app-id": given(text("an App's number or client id", /^[\w.]{1,40}$/).optional()),
  "app-private-key": given(text("an App's private key, the whole .pem file").optional()),
  "signing-key": given(text("a private SSH key, as ssh-keygen writes it").optional()),
});
export type ActionInputs = z.infer<typeof ActionInputs>;

/** Those that no other program may see, in the order in which `action.yml` hands them on. */
export const SECRET_INPUTS = [
  "token",
  "app-private-key",
  "signing-key",
] as const satisfies readonly (keyof ActionInputs)[];

interface InputFacts {
  /** The modes that have a use for it. */
  readonly modes: readonly Mode[];
  /** What `action.yml` and docs/action.md say of it. */
  readonly about: string;
  readonly default?: string;
}

/** What each input is for. `action.yml` and docs/action.md say the same. */
export const INPUT_FACTS: Readonly<Record<keyof ActionInputs, InputFacts>> = {
  mode: {
    modes: MODES,
    about:
      "What to do. plan starts nothing, run works on beads, job does what the koryph App asks this runner for, events answers comments in its place.",
    default: "plan",
  },
  project: {
    modes: ["plan", "run", "job"],
    about: "Folder that holds koryph.project.json, relative to the workspace and inside it.",
    default: ".",
  },
  max: {
    modes: ["plan", "run"],
    about:
      "How many beads may run at once, never above max_concurrent_slots. Empty means max_concurrent_slots.",
  },
  parent: { modes: ["plan", "run"], about: "Only what lies below this bead." },
  only: { modes: ["plan", "run"], about: "Only this bead." },
  epic: { modes: ["plan"], about: "For a plan, audit only what lies below this bead." },
  model: { modes: ["plan", "run"], about: "Model for every agent, whatever labels say." },
  "default-model": {
    modes: ["plan", "run"],
    about: "Model for beads without a model label. Empty means what model_map says.",
  },
  once: { modes: ["run"], about: "For a run, true means one wave, then end." },
  budget: { modes: ["run"], about: "For a run, start nothing that may lead above this sum in US dollars." },
  "dispatch-mode": {
    modes: ["run"],
    about:
      "For a run, rolling refills freed places at once, wave waits for the whole wave. Empty means dispatch_mode.",
  },
  review: {
    modes: ["run"],
    about: "For a run, true has every finished branch reviewed before anything else happens to it.",
  },
  "auto-merge": { modes: ["run"], about: "For a run, true lands what has the merge policy auto." },
  direct: {
    modes: ["run"],
    about: "For a run, true lands everything that passes, whatever its merge policy.",
  },
  "allow-red-base": {
    modes: ["run"],
    about: "For a run, true starts agents although the gate is red on the default branch, to mend it.",
  },
  "allow-api-spend": {
    modes: ["run"],
    about:
      "For a run, true bills new agents by use, to the key that api_spend names, once their plan is used up. It needs budget.",
  },
  resume: {
    modes: ["run"],
    about:
      "For a run, true goes on under the id and within the bounds of the last one. Otherwise a new run begins, and goes on with what earlier ones left.",
  },
  strict: {
    modes: ["run"],
    about: "For a run, true fails the step when a bead of this run ended blocked or in conflict.",
  },
  job: { modes: ["job"], about: "For a job, its id, as the App gave it to the workflow." },
  kind: {
    modes: ["job"],
    about:
      "For a job, what is to be done, as the App gave it to the workflow. There are review, rebase and gate.",
  },
  head: { modes: ["job"], about: "For a job, the pull request's head, as the App gave it to the workflow." },
  base: {
    modes: ["job"],
    about: "For a job, the commit of the base branch, as the App gave it to the workflow.",
  },
  attempt: {
    modes: ["job"],
    about: "For a job, how often the App has asked for it, as it gave it to the workflow.",
  },
  token: {
    modes: MODES,
    about:
      "For a run, a job, events, and a plan of issues, the workflow's own token, or that of a GitHub App. It reaches no agent, no reviewer and no gate.",
  },
  "app-id": {
    modes: ["run"],
    about:
      "For a run in place of token, the number or client id of a GitHub App that may bypass no rule. Its tokens are renewed while the run lasts.",
  },
  "app-private-key": {
    modes: ["run"],
    about:
      "For a run in place of token, that App's private key. It reaches no agent, no reviewer and no gate.",
  },
  "signing-key": {
    modes: ["job"],
    about:
      "For a job of the kind rebase and no other, the private SSH key that replayed commits are signed with.",
  },
};

export type InputsReading =
  | { readonly kind: "ok"; readonly inputs: ActionInputs }
  | { readonly kind: "wrong"; readonly problems: readonly Problem[] };

/** The variable that `action.yml` passes an input in. A composite action gets no `INPUT_*` of its own. */
export function inputVariable(name: string): string {
  return `KORYPH_INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** What `action.yml` writes to the standard input: each of them ends with a zero byte. */
export function handedOn(inputs: Readonly<Record<string, string>>): string {
  return SECRET_INPUTS.map((name) => `${inputs[name] ?? ""}\0`).join("");
}

/** What stands on the standard input, as variables like those of other inputs; each ends with a zero byte. */
export function secretVariables(given: string): Readonly<Record<string, string>> {
  const values = given.split("\0");
  return Object.fromEntries(SECRET_INPUTS.map((name, at) => [inputVariable(name), values[at] ?? ""]));
}

/** The inputs, or everything that is wrong with them at once. */
export function readActionInputs(env: Readonly<Record<string, string | undefined>>): InputsReading {
  const raw = Object.fromEntries(
    Object.keys(ActionInputs.shape).map((name) => [name, env[inputVariable(name)]]),
  );
  const parsed = ActionInputs.safeParse(raw);
  if (!parsed.success) return { kind: "wrong", problems: problemsOf(parsed.error.issues, raw, {}) };
  const problems = useless(parsed.data);
  return problems.length > 0 ? { kind: "wrong", problems } : { kind: "ok", inputs: parsed.data };
}

/** An input that the mode has no use for was meant for another: whoever gave it expects something that will not happen. */
function useless(inputs: ActionInputs): Problem[] {
  return Object.entries(INPUT_FACTS).flatMap(([name, { modes, default: usual }]) => {
    const value = inputs[name as keyof ActionInputs];
    if (value === undefined || value === usual || modes.includes(inputs.mode)) return [];
    // Its value may be a secret.
    const found = `a value in mode ${inputs.mode}`;
    return [{ key: name, found, need: `none: it is for mode ${modes.join(" and ")}` }];
  });
}
