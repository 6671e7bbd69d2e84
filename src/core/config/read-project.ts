import { PLAINLY } from "../model/plainly.js";
import { keyOf, type Problem, problemsOf, shown } from "./problems.js";
import { ProjectConfig, projectJsonSchema, SCHEMA_VERSION } from "./project-schema.js";
import { readJson } from "./read-json.js";
import { repeatedKeys } from "./repeated-keys.js";

export type ProjectReading =
  | { readonly kind: "ok"; readonly config: ProjectConfig }
  | { readonly kind: "unreadable"; readonly problem: string }
  | { readonly kind: "newer"; readonly version: number }
  | { readonly kind: "wrong"; readonly problems: readonly Problem[] };

/** The text of a project file as its settings, or everything that is wrong with it at once. */
export function readProject(text: string): ProjectReading {
  const json = readJson(text);
  if (json.kind === "not-json") return { kind: "unreadable", problem: json.problem };
  // Asked before anything else: a newer file may rightly hold keys that this koryph has never heard of.
  const version = newerVersion(json.data);
  if (version !== null) return { kind: "newer", version };
  const parsed = ProjectConfig.safeParse(json.data, PLAINLY);
  const problems = parsed.success ? [] : problemsOf(parsed.error.issues, json.data, projectJsonSchema());
  problems.push(...repeated(text), ...crossChecks(json.data));
  return problems.length === 0 && parsed.success
    ? { kind: "ok", config: parsed.data }
    : { kind: "wrong", problems };
}

function newerVersion(data: unknown): number | null {
  const version = (data as { schema_version?: unknown } | null)?.schema_version;
  return typeof version === "number" && Number.isInteger(version) && version > SCHEMA_VERSION
    ? version
    : null;
}

/** Which of the two is meant, only its author knows. */
function repeated(text: string): Problem[] {
  return repeatedKeys(text).map(({ path, line, column }) => ({
    key: keyOf(path),
    found: `the key a second time at line ${line}, column ${column}`,
    need: "it once",
  }));
}

/**
 * Rules between keys. They read the raw data and say nothing about what they do not understand, so that
 * they are reported together with mistakes elsewhere in the file.
 */
function crossChecks(data: unknown): Problem[] {
  const raw = data as {
    merge_method?: unknown;
    signing?: { required?: unknown; provider?: unknown; key_ref?: unknown };
    pipeline?: unknown;
  } | null;
  const problems: Problem[] = [];
  if (raw?.merge_method === "squash" && raw.signing?.required === true) {
    const need = "ff, because signing.required is true and squashing drops the signed commits";
    problems.push({ key: "merge_method", found: '"squash"', need });
  }
  if (raw?.signing?.provider !== undefined && raw.signing.key_ref === undefined) {
    problems.push({
      key: "signing.key_ref",
      found: "nothing",
      need: "a key, because signing.provider is set",
    });
  }
  const names = Array.isArray(raw?.pipeline)
    ? raw.pipeline.map((stage) => (stage as { name?: unknown } | null)?.name)
    : [];
  const taken = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (typeof name !== "string") continue;
    if (taken.has(name)) {
      problems.push({
        key: `pipeline[${index}].name`,
        found: shown(name),
        need: "a name no other stage has",
      });
    }
    taken.add(name);
  }
  return problems;
}
