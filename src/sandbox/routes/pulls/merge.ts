import { moverOf } from "../../auth/auth.js";
import { HttpRefusal, type Route } from "../../http/route.js";
import { mergePull } from "../../world/pulls/merge-pull.js";
import { pullThreadOf, textOf } from "../../world/said.js";

const PATH = "/repos/{owner}/{repo}/pulls/{pull_number}/merge";

export const mergeRoutes: readonly Route[] = [
  {
    operation: "pulls/merge",
    method: "PUT",
    path: PATH,
    needs: { contents: "write" },
    answer: async (call) => {
      const { body } = call;
      const method =
        body.merge_method === "squash" || body.merge_method === "rebase" ? body.merge_method : "merge";
      const sha = await mergePull(pullThreadOf(call), moverOf(call.caller), {
        ...{ method, title: textOf(body.commit_title), message: textOf(body.commit_message) },
        expected: textOf(body.sha),
      });
      return { status: 200, body: { sha, merged: true, message: "Pull Request successfully merged" } };
    },
  },
  {
    operation: "pulls/check-if-merged",
    method: "GET",
    path: PATH,
    needs: { contents: "read" },
    answer: (call) => {
      if (pullThreadOf(call).issue.pull.merged === null) throw new HttpRefusal(404, "Not Found");
      return { status: 204 };
    },
  },
];
