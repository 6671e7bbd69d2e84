import { quotaKey } from "../http/rate-limit.js";
import { actorOf, HttpRefusal, type Route } from "../http/route.js";
import { renderPrivateUser, renderPublicUser } from "../render/user.js";

export const metaRoutes: readonly Route[] = [
  {
    operation: "users/get-authenticated",
    method: "GET",
    path: "/user",
    needs: "token",
    answer: (call) => {
      if (call.caller.kind !== "user") throw new HttpRefusal(403, "Resource not accessible by integration");
      return { status: 200, body: renderPrivateUser(call.world, actorOf(call)) };
    },
  },
  {
    operation: "users/get-by-username",
    method: "GET",
    path: "/users/{username}",
    needs: "anyone",
    answer: ({ world, params }) => {
      const user = world.user(params.username ?? "");
      if (user === null) throw new HttpRefusal(404, "Not Found");
      return { status: 200, body: renderPublicUser(world, user.login) };
    },
  },
  {
    operation: "rate-limit/get",
    method: "GET",
    path: "/rate_limit",
    needs: "anyone",
    answer: ({ world, caller }) => {
      const core = world.quota.observe(quotaKey(caller));
      const search = { ...core, limit: 30, used: 0, remaining: 30 };
      const graphql = { ...core, used: 0, remaining: core.limit };
      return { status: 200, body: { resources: { core, search, graphql }, rate: core } };
    },
  },
];
