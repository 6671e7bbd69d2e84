import type { JsonObject, JsonValue } from "../../http/json.js";
import { HttpRefusal } from "../../http/route.js";
import { textOf } from "../said.js";
import type { CheckRun } from "../state.js";
import type { World } from "../world.js";

const MOST_ANNOTATIONS = 50;
const MOST_ACTIONS = 3;
/** GitHub counts these in bytes. */
const LONGEST_OUTPUT_BYTES = 65_535;
const LONGEST = { label: 20, description: 40, identifier: 20 } as const;

/** What a request makes of a check run's state; what it does not speak of stays. */
export function checkChanges(world: World, run: CheckRun, body: JsonObject): Partial<CheckRun> {
  const conclusion = textOf(body.conclusion);
  const asked = textOf(body.status) as CheckRun["status"] | null;
  // A conclusion ends a run, whatever else is said.
  const status = conclusion !== null ? "completed" : (asked ?? run.status);
  if (status === "completed" && conclusion === null && run.conclusion === null) {
    throw new HttpRefusal(422, "Invalid request.\n\nA completed check run needs a conclusion.");
  }
  const ended = textOf(body.completed_at) ?? run.completedAt ?? world.timestamp();
  return {
    name: textOf(body.name) ?? run.name,
    externalId: textOf(body.external_id) ?? run.externalId,
    detailsUrl: textOf(body.details_url) ?? run.detailsUrl,
    startedAt: textOf(body.started_at) ?? run.startedAt,
    status,
    conclusion: status === "completed" ? (conclusion ?? run.conclusion) : null,
    completedAt: status === "completed" ? ended : null,
    actions: body.actions === undefined ? run.actions : actionsOf(body.actions),
  };
}

/** The output after a request. Annotations are added to those that are there: that is how more than fifty get in. */
export function outputOf(run: CheckRun, body: JsonObject): Pick<CheckRun, "output" | "annotations"> {
  const { output } = body;
  if (!isObject(output)) return { output: run.output, annotations: run.annotations };
  const added = Array.isArray(output.annotations) ? (output.annotations as readonly JsonObject[]) : [];
  if (added.length > MOST_ANNOTATIONS) {
    throw new HttpRefusal(422, `Invalid request.\n\nNo more than ${MOST_ANNOTATIONS} items are allowed.`);
  }
  return {
    output: {
      title: textOf(output.title) ?? run.output.title,
      summary: capped("summary", textOf(output.summary)) ?? run.output.summary,
      text: capped("text", textOf(output.text)) ?? run.output.text,
    },
    annotations: [...run.annotations, ...added],
  };
}

function capped(name: string, text: string | null): string | null {
  if (text !== null && Buffer.byteLength(text) > LONGEST_OUTPUT_BYTES) {
    throw new HttpRefusal(
      422,
      `Invalid request.\n\nOnly ${LONGEST_OUTPUT_BYTES} bytes are allowed in ${name}.`,
    );
  }
  return text;
}

function actionsOf(value: JsonValue): CheckRun["actions"] {
  const given = Array.isArray(value) ? (value as readonly JsonObject[]) : [];
  if (given.length > MOST_ACTIONS) {
    throw new HttpRefusal(422, `Invalid request.\n\nNo more than ${MOST_ACTIONS} items are allowed.`);
  }
  const part = (action: JsonObject, name: keyof typeof LONGEST): string => {
    const text = textOf(action[name]) ?? "";
    if (text === "" || text.length > LONGEST[name]) {
      throw new HttpRefusal(
        422,
        `Invalid request.\n\nAn action's ${name} has 1 to ${LONGEST[name]} characters.`,
      );
    }
    return text;
  };
  return given.map((action) => ({
    label: part(action, "label"),
    description: part(action, "description"),
    identifier: part(action, "identifier"),
  }));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
