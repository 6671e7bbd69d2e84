import { includesRole, ROLES } from "../../core/commands/roles.js";
import type { JsonObject } from "../http/json.js";
import { HttpRefusal, listAnswer, type Route, repositoryOf } from "../http/route.js";
import { renderUser } from "../render/user.js";
import type { Repository, RoleName } from "../world/state.js";
import type { World } from "../world/world.js";

const METADATA = { metadata: "read" } as const;

/** GitHub's older answer knows fewer roles, and gives the next lower one that it knows. */
const LEGACY: Readonly<Record<RoleName, "admin" | "write" | "read" | "none">> = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin",
};

export const collaboratorRoutes: readonly Route[] = [
  {
    operation: "repos/list-collaborators",
    method: "GET",
    path: "/repos/{owner}/{repo}/collaborators",
    needs: METADATA,
    role: "write",
    answer: (call) => {
      const repository = repositoryOf(call);
      const wanted = call.query.get("permission");
      const needed = ROLES.find((role) => role === wanted || LEGACY_WORDS[wanted ?? ""] === role) ?? "read";
      const found = loginsOf(repository).filter((login) =>
        includesRole(call.world.role(repository, login), needed),
      );
      return listAnswer(
        call,
        found.map((login) => renderCollaborator(call.world, repository, login)),
      );
    },
  },
  {
    operation: "repos/check-collaborator",
    method: "GET",
    path: "/repos/{owner}/{repo}/collaborators/{username}",
    needs: METADATA,
    role: "write",
    answer: (call) => {
      const repository = repositoryOf(call);
      const username = call.params.username?.toLowerCase();
      const known = loginsOf(repository).some((login) => login.toLowerCase() === username);
      // Either answer is a status and nothing else.
      return { status: known ? 204 : 404 };
    },
  },
  {
    operation: "repos/get-collaborator-permission-level",
    method: "GET",
    path: "/repos/{owner}/{repo}/collaborators/{username}/permission",
    needs: METADATA,
    role: "write",
    answer: (call) => {
      const { world, params } = call;
      const repository = repositoryOf(call);
      const user = world.user(params.username ?? "");
      if (user === null) throw new HttpRefusal(404, `${params.username} is not a user`);
      const role = world.role(repository, user.login);
      return {
        status: 200,
        body: {
          permission: LEGACY[role],
          role_name: roleName(repository, user.login, role),
          user: renderCollaborator(world, repository, user.login),
        },
      };
    },
  },
];

const LEGACY_WORDS: Readonly<Record<string, RoleName>> = { pull: "read", push: "write" };

function loginsOf(repository: Repository): string[] {
  const named = Object.entries(repository.collaborators).filter(([, { role }]) => role !== "none");
  return [...new Set([repository.owner, ...named.map(([login]) => login)])];
}

/** An organisation's own name for a role, where it has one. */
function roleName({ collaborators }: Repository, login: string, role: RoleName): string {
  const entry = Object.entries(collaborators).find(([each]) => each.toLowerCase() === login.toLowerCase());
  return entry?.[1].customName ?? role;
}

function renderCollaborator(world: World, repository: Repository, login: string): JsonObject {
  const role = world.role(repository, login);
  return {
    ...renderUser(world, login),
    permissions: {
      pull: includesRole(role, "read"),
      triage: includesRole(role, "triage"),
      push: includesRole(role, "write"),
      maintain: includesRole(role, "maintain"),
      admin: includesRole(role, "admin"),
    },
    role_name: roleName(repository, login, role),
  };
}
