import type { Repository } from "../state.js";
import type { Rule } from "./ruleset.js";

interface RequiredCheck {
  readonly context: string;
  /** The app it has to come from; null: whoever says so. */
  readonly app: number | null;
}

type CheckState = "success" | "expected" | "failing" | "in progress";

function requiredChecks({ parameters }: Rule): RequiredCheck[] {
  const checks = parameters.required_status_checks;
  if (!Array.isArray(checks)) return [];
  return (checks as readonly { readonly context?: unknown; readonly integration_id?: unknown }[]).map(
    ({ context, integration_id: app }) => ({
      context: String(context ?? ""),
      app: typeof app === "number" ? app : null,
    }),
  );
}

/** GitHub names the check where one is missing, and counts where several are. */
export function checksComplaint(repository: Repository, rule: Rule, sha: string): string | null {
  const required = requiredChecks(rule);
  const unmet = required
    .map((check) => ({ check, state: stateOfCheck(repository, sha, check) }))
    .filter(({ state }) => state !== "success");
  const [first] = unmet;
  if (first === undefined) return null;
  if (unmet.length === 1) return `Required status check "${first.check.context}" is ${first.state}.`;
  const states = new Set(unmet.map(({ state }) => state));
  const what = states.size === 1 ? first.state : "expected or have not succeeded";
  return `${unmet.length} of ${required.length} required status checks are ${what}.`;
}

/** The newest run or status of that name counts, by whatever app unless one is asked for. */
function stateOfCheck(repository: Repository, sha: string, { context, app }: RequiredCheck): CheckState {
  const run = repository.checkRuns
    .filter((each) => each.headSha === sha && each.name === context && (app === null || each.app === app))
    .at(-1);
  if (run !== undefined) {
    if (run.status !== "completed") return "in progress";
    return ["success", "neutral", "skipped"].includes(run.conclusion ?? "") ? "success" : "failing";
  }
  const status = repository.statuses
    .filter((each) => each.sha === sha && each.context === context && (app === null || each.app === app))
    .at(-1);
  if (status === undefined) return "expected";
  if (status.state === "pending") return "in progress";
  return status.state === "success" ? "success" : "failing";
}
