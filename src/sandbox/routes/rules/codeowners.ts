import { HttpRefusal, type Route, repositoryOf } from "../../http/route.js";
import { codeownersErrors, readCodeowners } from "../../world/rules/codeowners.js";

export const codeownersRoutes: readonly Route[] = [
  {
    operation: "repos/codeowners-errors",
    method: "GET",
    path: "/repos/{owner}/{repo}/codeowners/errors",
    needs: { contents: "read" },
    answer: async (call) => {
      const repository = repositoryOf(call);
      const commit = await call.world.resolve(repository, call.query.get("ref") ?? repository.defaultBranch);
      const file = commit === null ? null : await readCodeowners(call.world, repository, commit);
      if (file === null) throw new HttpRefusal(404, "Not Found");
      const errors = codeownersErrors(call.world, repository, file).map((error) => ({ ...error }));
      return { status: 200, body: { errors } };
    },
  },
];
