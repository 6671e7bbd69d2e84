import { allows } from "../../auth/auth.js";
import type { JsonObject } from "../../http/json.js";
import {
  actorOf,
  appOf,
  type Call,
  HttpRefusal,
  listAnswer,
  type Route,
  repositoryOf,
} from "../../http/route.js";
import { fullName, repositoryUrl } from "../../render/repository.js";
import { nodeId } from "../../render/user.js";
import { bypassOf } from "../../world/rules/bypass.js";
import { type Rule, type Ruleset, rulesetsOn } from "../../world/rules/ruleset.js";

const READ = { metadata: "read" } as const;
const ALL = "/repos/{owner}/{repo}/rulesets";

export const ruleRoutes: readonly Route[] = [
  {
    operation: "repos/get-branch-rules",
    method: "GET",
    path: "/repos/{owner}/{repo}/rules/branches/{branch}",
    needs: READ,
    answer: (call) => {
      const repository = repositoryOf(call);
      const rules = rulesetsOn(repository, call.params.branch ?? "").flatMap((ruleset) =>
        ruleset.rules.map((rule) => ({
          ...renderRule(rule),
          ruleset_source_type: "Repository",
          ruleset_source: fullName(repository),
          ruleset_id: ruleset.id,
        })),
      );
      return listAnswer(call, rules);
    },
  },
  {
    operation: "repos/get-repo-rulesets",
    method: "GET",
    path: ALL,
    needs: READ,
    answer: (call) =>
      listAnswer(
        call,
        repositoryOf(call).rulesets.map((ruleset) => renderRuleset(call, ruleset)),
      ),
  },
  {
    operation: "repos/get-repo-ruleset",
    method: "GET",
    path: `${ALL}/{ruleset_id}`,
    needs: READ,
    answer: (call) => {
      const found = repositoryOf(call).rulesets.find(({ id }) => id === Number(call.params.ruleset_id));
      if (found === undefined) throw new HttpRefusal(404, "Not Found");
      return { status: 200, body: { ...renderRuleset(call, found), ...rulesetDetails(call, found) } };
    },
  },
];

function renderRule({ type, parameters }: Rule): JsonObject {
  return { type, ...(Object.keys(parameters).length === 0 ? {} : { parameters }) };
}

function renderRuleset(call: Call, { id, name, enforcement, createdAt }: Ruleset): JsonObject {
  const repository = repositoryOf(call);
  return {
    ...{ id, node_id: nodeId("RepositoryRuleset", id), name, target: "branch", enforcement },
    source_type: "Repository",
    source: fullName(repository),
    _links: {
      self: { href: `${repositoryUrl(call.world, repository)}/rulesets/${id}` },
      html: { href: `${call.world.url}/${fullName(repository)}/rules/${id}` },
    },
    created_at: createdAt,
    updated_at: createdAt,
  };
}

const CAN_BYPASS = {
  always: "always",
  exempt: "exempt",
  pull_request: "pull_requests_only",
  never: "never",
} as const;

function rulesetDetails(call: Call, ruleset: Ruleset): JsonObject {
  const { world, caller } = call;
  const repository = repositoryOf(call);
  const refName = (names: readonly string[]) =>
    names.map((name) => (name.startsWith("~") ? name : `refs/heads/${name}`));
  const details = {
    conditions: { ref_name: { include: refName(ruleset.include), exclude: refName(ruleset.exclude) } },
    rules: ruleset.rules.map(renderRule),
  };
  if (caller.kind === "nobody") return details;
  const mover = { login: actorOf(call), app: appOf(call) };
  // Whoever could not change the list is not shown it.
  const administers = allows(world, caller, {
    needs: { administration: "write" },
    role: "admin",
    repository,
  });
  return {
    ...details,
    current_user_can_bypass: CAN_BYPASS[bypassOf(world, repository, ruleset, mover)],
    ...(administers && {
      bypass_actors: ruleset.bypass.map(({ type, id, mode }) => ({
        actor_type: type,
        actor_id: id,
        bypass_mode: mode,
      })),
    }),
  };
}
