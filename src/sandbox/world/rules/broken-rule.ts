import { isAncestor } from "../../git/world-git.js";
import { brokenCommitRule } from "./commit-rules.js";
import { brokenFileRule } from "./file-rules.js";
import { type Judging, type Move, NOTHING } from "./move.js";
import { checksComplaint } from "./required-checks.js";
import type { Rule } from "./ruleset.js";

/** What a rule has against a move, in GitHub's words; null when it has nothing. */
export async function brokenRule(rule: Rule, judging: Judging, move: Move): Promise<string | null> {
  const gone = move.after === NOTHING;
  const fresh = move.before === NOTHING;
  switch (rule.type) {
    case "creation":
      return fresh ? "Cannot create ref due to creations being restricted." : null;
    case "update":
      return fresh || gone ? null : "Cannot update this protected ref.";
    case "deletion":
      return gone ? "Cannot delete this protected ref." : null;
    case "non_fast_forward": {
      const forced =
        !gone && !fresh && !(await isAncestor(judging.repository, [move.before, move.after], judging.env));
      return forced ? "Cannot force-push to this branch" : null;
    }
  }
  return gone ? null : contentRule(rule, judging, move);
}

/** Rules about what a branch would hold afterwards; most can be met by a pull request only, or not at all here. */
async function contentRule(rule: Rule, judging: Judging, move: Move): Promise<string | null> {
  switch (rule.type) {
    case "pull_request":
      return "Changes must be made through a pull request.";
    case "merge_queue":
      return "Changes must be made through the merge queue";
    case "required_status_checks":
      return checksComplaint(judging.repository, rule, move.after);
    case "required_deployments":
      return "Required deployments have not succeeded for this commit.";
    case "workflows":
      return "Required workflows have not run on this commit.";
    case "code_scanning":
      return `Code scanning is waiting for results for the commit ${move.after.slice(0, 7)}.`;
    // It only asks for a review.
    case "copilot_code_review":
      return null;
    case "file_path_restriction":
    case "file_extension_restriction":
    case "max_file_path_length":
    case "max_file_size":
      return brokenFileRule(rule, judging, move);
    default:
      return brokenCommitRule(rule, judging, move);
  }
}
