import type { NoGithub } from "../../config/github-remote.js";
import { type Problem, shown } from "../../config/problems.js";
import type { ProjectConfig } from "../../config/project-schema.js";
import { BUILT_IN_RUNTIMES, unusableRuntime } from "../../route/resolve-runtime.js";
import type { RouteWishes } from "./route-bead.js";

type RunConfig = Pick<
  ProjectConfig,
  "default_runtime" | "runtimes" | "merge_policy" | "work_source" | "signing" | "pipeline" | "review"
>;

export interface RunSurroundings extends Pick<RouteWishes, "direct" | "noPulls"> {
  /** Whether a persona is described on the default branch, as far as it is known; all are unless told. */
  readonly hasPersona?: (name: string) => boolean;
}

/**
 * What keeps every run of a project from starting although the file is well formed. `validate`, `run` and the dry
 * run ask this one function, so that none of them accepts what another refuses.
 */
export function runProblems(
  config: RunConfig,
  { direct, noPulls, hasPersona }: RunSurroundings = {},
): Problem[] {
  const problems: Problem[] = [];
  const { default_runtime: runtime, merge_policy, work_source, signing } = config;
  if (work_source === "github" && noPulls !== undefined)
    problems.push(wrong("work_source", work_source, neededOfRemote(noPulls, "or file or bd")));
  if (merge_policy === "pr" && noPulls !== undefined && !direct)
    problems.push(wrong("merge_policy", merge_policy, neededOfRemote(noPulls, "or manual or auto")));
  if (signing.required && signing.provider === undefined)
    problems.push({
      key: "signing.provider",
      found: "nothing",
      need: "a key to sign with, because signing.required is true; `koryph signing init` makes one",
    });
  for (const [key, name] of personasOf(config)) {
    if (hasPersona?.(name) ?? true) continue;
    problems.push(wrong(key, name, `agents/${name}.md on the default branch, or a built-in persona`));
  }
  const need = neededOf(runtime, config.runtimes);
  if (need !== null) problems.push(wrong("default_runtime", runtime, need));
  return problems;
}

function neededOfRemote(missing: NoGithub, instead: string): string {
  if (missing.kind === "no_remote") return `a remote on GitHub, as this repository has none, ${instead}`;
  if (missing.host === "") return `a remote on GitHub, as this one is a folder, ${instead}`;
  return `a remote on GitHub, as ${missing.host} is none that koryph knows as such (a GitHub Enterprise Server is named by GITHUB_SERVER_URL and GITHUB_API_URL), ${instead}`;
}

/** The personas that somebody asked for, with the keys they stand under. */
function personasOf({ pipeline, review }: RunConfig): [key: string, name: string][] {
  const asked = [...pipeline.map(({ persona }) => persona), review.persona];
  return asked.flatMap((name, at) => {
    const key = at === pipeline.length ? "review.persona" : `pipeline[${at}].persona`;
    return name === undefined ? [] : [[key, name]];
  });
}

/** Null when beads can run on it. */
function neededOf(runtime: string, runtimes: RunConfig["runtimes"]): string | null {
  switch (unusableRuntime(runtime, runtimes)) {
    case null:
      return null;
    case "off":
      return `a runtime that runtimes.${runtime}.enabled does not switch off`;
    case "no-program":
      return `runtimes.${runtime}.command, the program to run`;
    case "unknown": {
      const known = BUILT_IN_RUNTIMES.filter((name) => name !== "command").join(", ");
      return `one of ${known}, or runtimes.${runtime}.command with its program`;
    }
  }
}

function wrong(key: string, found: string, need: string): Problem {
  return { key, found: shown(found), need };
}
