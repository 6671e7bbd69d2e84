import { z } from "zod";
import { type Bead, type BeadId, parseBeadId } from "../model/bead.js";
import { listOf, text } from "./fields.js";
import { type Problem, problemsOf, WHOLE } from "./problems.js";

/** bd's own default for work nobody has ranked. */
const UNRANKED = 2;

const aText = text("a text, not an empty one");
const optionalText = z
  .string({ error: "a text" })
  .nullish()
  .transform((text) => text ?? "");

const ID = "letters, digits, dots, hyphens and underscores, 128 at most, starting with a letter or digit";
const Id = z.string({ error: ID }).transform((text, context): BeadId => {
  const id = parseBeadId(text);
  if (id !== null) return id;
  context.addIssue({ code: "custom", message: ID });
  return z.NEVER;
});

const PRIORITY = "a whole number or P0, P1, …";
const Priority = z
  .union(
    [
      z.int({ error: PRIORITY }),
      z.string({ error: PRIORITY }).regex(/^[Pp]\d{1,9}$/, { error: PRIORITY }),
      z.null(),
    ],
    { error: PRIORITY },
  )
  // An explicit null is how the tracker writes its zero value.
  .transform((priority) => (typeof priority === "string" ? Number(priority.slice(1)) : (priority ?? 0)))
  .default(UNRANKED);

/** The tracker writes an edge in two shapes: as it stores it, and as the bead at its other end. */
const Edge = z
  .union(
    [
      z.object({ depends_on_id: Id, type: z.string().default("blocks"), issue_id: z.string().optional() }),
      z.object({ id: Id, dependency_type: z.string().default("blocks") }),
    ],
    { error: "{depends_on_id, type} or {id, dependency_type}" },
  )
  .transform((edge) =>
    "depends_on_id" in edge
      ? { from: edge.issue_id ?? null, to: edge.depends_on_id, type: edge.type }
      : { from: null, to: edge.id, type: edge.dependency_type },
  );

/** One bead as `bd` writes it: a line of its export, or an element of its JSON output. */
const RECORD = {
  id: Id,
  title: aText,
  description: optionalText,
  acceptance_criteria: optionalText,
  assignee: optionalText,
  status: aText.default("open"),
  priority: Priority,
  issue_type: aText.default("task"),
  // A space at the end is a slip of the hand, and would make another label of it.
  labels: listOf(z.string({ error: "a label" }), "a list of labels")
    .nullish()
    .transform((labels) => (labels ?? []).map((label) => label.trim()).filter((label) => label !== "")),
  // The tracker writes an empty text where there is no parent.
  parent: z.preprocess(
    (parent) => (parent === "" ? null : parent),
    Id.nullish().transform((id) => id ?? null),
  ),
  dependencies: listOf(Edge, "a list of edges")
    .nullish()
    .transform((edges) => edges ?? []),
};
const BeadRecord = z.object(RECORD, { error: "an object {…}" });

const SHOWN_PROBLEMS = 5;

export type BeadReading =
  | { readonly kind: "bead"; readonly bead: Bead }
  /** A line of the export that describes something else, such as a memory. */
  | { readonly kind: "other" }
  | { readonly kind: "wrong"; readonly reason: string };

/** A record of the tracker as a bead. Only `blocks` edges block; a `parent-child` edge names the parent. */
export function readBead(record: unknown): BeadReading {
  const kind = (record as { _type?: unknown } | null)?._type;
  if (typeof kind === "string" && kind !== "issue") return { kind: "other" };
  const parsed = BeadRecord.safeParse(record);
  if (!parsed.success)
    return { kind: "wrong", reason: reasonOf(problemsOf(parsed.error.issues, record, {})) };
  const { dependencies, id, title, description, status, priority, labels, assignee, ...other } = parsed.data;
  const foreign = dependencies.find((edge) => edge.from !== null && edge.from !== id);
  if (foreign)
    return { kind: "wrong", reason: `dependencies: an edge of ${foreign.from} is listed under ${id}` };
  const blockers = dependencies.filter((edge) => edge.type === "blocks").map((edge) => edge.to);
  return {
    kind: "bead",
    // Field by field: V8 takes twice as long over a backlog of beads that were copied from what was parsed.
    bead: {
      id,
      title,
      description,
      acceptance: other.acceptance_criteria,
      status,
      priority,
      type: other.issue_type,
      labels,
      assignee,
      parent: other.parent ?? dependencies.find((edge) => edge.type === "parent-child")?.to ?? null,
      blockers: [...new Set(blockers)],
    },
  };
}

function reasonOf(problems: readonly Problem[]): string {
  const rest = problems.length - SHOWN_PROBLEMS;
  return [
    ...problems
      .slice(0, SHOWN_PROBLEMS)
      .map(({ key, found, need }) => `${key === WHOLE ? "" : `${key}: `}found ${found}, needed ${need}`),
    ...(rest > 0 ? [`and ${rest} more problems`] : []),
  ].join("; ");
}
