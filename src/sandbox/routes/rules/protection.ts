import { allows } from "../../auth/auth.js";
import { HttpRefusal, type Route, repositoryOf } from "../../http/route.js";
import { renderProtection } from "../../render/protection.js";
import { protectionOf } from "../../world/rules/protection.js";

const ADMINISTRATION = { administration: "read" } as const;

export const protectionRoutes: readonly Route[] = [
  {
    operation: "repos/get-branch-protection",
    method: "GET",
    path: "/repos/{owner}/{repo}/branches/{branch}/protection",
    needs: "token",
    answer: async (call) => {
      const { world, caller, params } = call;
      const repository = repositoryOf(call);
      // An app is told that it may not look; a person, that there is nothing to see.
      if (!allows(world, caller, { needs: ADMINISTRATION, role: "admin", repository }))
        throw caller.kind === "installation"
          ? new HttpRefusal(403, "Resource not accessible by integration")
          : new HttpRefusal(404, "Not Found");
      const branch = params.branch ?? "";
      if ((await world.resolve(repository, `refs/heads/${branch}`)) === null)
        throw new HttpRefusal(404, "Branch not found");
      const protection = protectionOf(repository, branch);
      if (protection === null) throw new HttpRefusal(404, "Branch not protected");
      return { status: 200, body: renderProtection(world, repository, { branch, protection }) };
    },
  },
];
