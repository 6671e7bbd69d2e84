import type { JsonObject } from "../../http/json.js";
import { listAnswer, type Route, repositoryOf } from "../../http/route.js";
import { fullName } from "../../render/repository.js";
import { rulesOn } from "../../world/rules/world-rules.js";

export const ruleRoutes: readonly Route[] = [
  {
    operation: "repos/get-branch-rules",
    method: "GET",
    path: "/repos/{owner}/{repo}/rules/branches/{branch}",
    needs: { metadata: "read" },
    answer: (call) => {
      const repository = repositoryOf(call);
      const rules = rulesOn(repository, call.params.branch ?? "").map(
        ({ id, type, parameters }): JsonObject => ({
          type,
          ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
          ruleset_source_type: "Repository",
          ruleset_source: fullName(repository),
          ruleset_id: id,
        }),
      );
      return listAnswer(call, rules);
    },
  },
  {
    operation: "repos/get-repo-rulesets",
    method: "GET",
    path: "/repos/{owner}/{repo}/rulesets",
    needs: { metadata: "read" },
    answer: (call) => {
      const repository = repositoryOf(call);
      const rulesets = repository.rules.map(({ id, branch, type }) => ({
        id,
        name: `${type} on ${branch}`,
        target: "branch",
        source_type: "Repository",
        source: fullName(repository),
        enforcement: "active",
        created_at: repository.createdAt,
        updated_at: repository.createdAt,
      }));
      return listAnswer(call, rulesets);
    },
  },
];
