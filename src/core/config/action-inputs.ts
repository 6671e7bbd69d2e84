import { z } from "zod";
import { parseBeadId } from "../model/bead.js";
import { JOB_KINDS } from "../model/job-kind.js";
import { block, oneOf, text } from "./fields.js";
import { type Problem, problemsOf } from "./problems.js";

const beadId = text("a bead id").refine((id) => parseBeadId(id) !== null, {
  error: "a bead id: letters, digits, dots, hyphens and underscores",
});

const SHA = /^[0-9a-f]{40,64}$/;

/** A workflow writes every input as text, and an empty one means that it was not given. */
function given<T extends z.ZodType>(field: T) {
  return z.preprocess(
    (raw) => (typeof raw === "string" && raw.trim() !== "" ? raw.trim() : undefined),
    field,
  );
}

/** The inputs of `action.yml`, by the names they have there. */
export const ActionInputs = block({
  mode: given(oneOf(["plan", "job"]).default("plan")),
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
  job: given(text("the id of a job", /^[0-9A-HJKMNP-TV-Z]{26}$/).optional()),
  kind: given(oneOf(JOB_KINDS).optional()),
  head: given(text("a commit", SHA).optional()),
  base: given(text("a commit", SHA).optional()),
  attempt: given(
    text("a whole number of at least 1", /^[1-9]\d?$/)
      .transform(Number)
      .optional(),
  ),
  token: given(text("a token").optional()),
  "signing-key": given(text("a private SSH key, as ssh-keygen writes it").optional()),
  "default-model": given(text("a model name, such as sonnet", /^[\w.:/@[\]-]+$/).optional()),
});
export type ActionInputs = z.infer<typeof ActionInputs>;

export type InputsReading =
  | { readonly kind: "ok"; readonly inputs: ActionInputs }
  | { readonly kind: "wrong"; readonly problems: readonly Problem[] };

/** The variable that `action.yml` passes an input in. A composite action gets no `INPUT_*` of its own. */
export function inputVariable(name: string): string {
  return `KORYPH_INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** The inputs, or everything that is wrong with them at once. */
export function readActionInputs(env: Readonly<Record<string, string | undefined>>): InputsReading {
  const raw = Object.fromEntries(
    Object.keys(ActionInputs.shape).map((name) => [name, env[inputVariable(name)]]),
  );
  const parsed = ActionInputs.safeParse(raw);
  if (parsed.success) return { kind: "ok", inputs: parsed.data };
  return { kind: "wrong", problems: problemsOf(parsed.error.issues, raw, {}) };
}
