import { isAncestor, tryGit } from "../../git/world-git.js";
import { HttpRefusal } from "../../http/route.js";
import { brokenRule } from "../rules/broken-rule.js";
import { bypassOf } from "../rules/bypass.js";
import type { Move } from "../rules/move.js";
import { protectionOf, protectionRules } from "../rules/protection.js";
import { checksComplaint } from "../rules/required-checks.js";
import { type Rule, rulesetsOn } from "../rules/ruleset.js";
import type { PullThread } from "../thread-changes.js";
import type { Mover } from "../world.js";
import { type MergeMethod, makeMerge, type WantedMerge } from "./make-merge.js";
import { unmetReviews } from "./review-state.js";
import { settleClosed } from "./world-pulls.js";

const PLURAL: Readonly<Record<MergeMethod, string>> = {
  merge: "Merge commits",
  squash: "Squash merges",
  rebase: "Rebase merges",
};

/** Presses the merge button, or throws what GitHub answers. Returns the commit that is on the base then. */
export function mergePull(
  thread: PullThread,
  mover: Mover,
  { expected, ...wanted }: Omit<WantedMerge, "by"> & { readonly expected: string | null },
): Promise<string> {
  const { world, repository, issue } = thread;
  return world.inTurn(repository, async () => {
    const { pull } = issue;
    if (issue.state !== "open") throw new HttpRefusal(405, "Pull Request is not mergeable");
    if (pull.draft) throw new HttpRefusal(405, "Pull Request is still a draft");
    if (expected !== null && expected !== pull.headSha)
      throw new HttpRefusal(409, "Head branch was modified. Review and try the merge again.");
    const after = await makeMerge(thread, { ...wanted, by: mover.login });
    if (after === null) throw new HttpRefusal(405, "Pull Request is not mergeable");
    const move = { ref: `refs/heads/${pull.baseRef}`, before: pull.baseSha, after };
    const unmet = await againstMerge(thread, mover, { move, method: wanted.method });
    if (unmet.length > 0)
      throw new HttpRefusal(405, `Repository rule violations found\n\n${unmet.join("\n\n")}\n\n`);
    const update = ["update-ref", "--no-deref", move.ref, after, move.before];
    if ((await tryGit(repository.gitDir, update)).code !== 0)
      throw new HttpRefusal(405, "Base branch was modified. Review and try the merge again.");
    pull.merged = { at: world.timestamp(), by: mover.login, commit: after };
    await settleClosed(world, { repository, issue, pusher: mover.login }, ["merged", "closed"]);
    await world.afterMoves(repository, mover.login, [move], "pr_merge");
    return after;
  });
}

interface Merge {
  readonly move: Move;
  readonly method: MergeMethod;
}

/** What the rules say against it. Who is let past them only by pull requests is let past here. */
async function againstMerge(thread: PullThread, mover: Mover, merge: Merge): Promise<string[]> {
  const { world, repository, issue } = thread;
  const branch = issue.pull.baseRef;
  const unmet: string[] = [];
  for (const ruleset of rulesetsOn(repository, branch)) {
    if (bypassOf(world, repository, ruleset, mover) !== "never") continue;
    for (const rule of ruleset.rules) unmet.push(...(await againstRule(thread, mover, { ...merge, rule })));
  }
  const protection = protectionOf(repository, branch);
  if (protection === null) return unmet;
  if (!protection.enforceAdmins && world.role(repository, mover.login) === "admin") return unmet;
  for (const rule of protectionRules(protection))
    unmet.push(...(await againstRule(thread, mover, { ...merge, rule })));
  return unmet;
}

async function againstRule(
  { world, repository, issue }: PullThread,
  mover: Mover,
  { rule, move, method }: Merge & { readonly rule: Rule },
): Promise<string[]> {
  switch (rule.type) {
    case "pull_request": {
      const allowed = rule.parameters.allowed_merge_methods;
      const wrong = Array.isArray(allowed) && !allowed.includes(method);
      return [
        ...(wrong ? [`${PLURAL[method]} are not allowed on this branch.`] : []),
        ...unmetReviews(world, repository, issue, rule),
      ];
    }
    case "required_status_checks": {
      // Checks ran on the head; what the button makes has none yet.
      const complaint = checksComplaint(repository, rule, issue.pull.headSha);
      const strict = rule.parameters.strict_required_status_checks_policy === true;
      const stale = strict && !(await isAncestor(repository, [move.before, issue.pull.headSha]));
      return [...(complaint === null ? [] : [complaint]), ...(stale ? ["Head branch is out of date."] : [])];
    }
    default: {
      const complaint = await brokenRule(rule, { world, repository, mover }, move);
      return complaint === null ? [] : [complaint];
    }
  }
}
