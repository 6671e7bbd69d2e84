import { randomBytes } from "node:crypto";
import { HttpRefusal, type Route } from "../http/route.js";
import { renderApp } from "../render/app.js";
import { takeManifestCode } from "../world/app-manifests.js";

export const appManifestRoutes: readonly Route[] = [
  {
    operation: "apps/create-from-manifest",
    method: "POST",
    path: "/app-manifests/{code}/conversions",
    needs: "anyone",
    answer: ({ world, params }) => {
      const found = takeManifestCode(world, params.code ?? "");
      if (found === null) throw new HttpRefusal(404, "Not Found");
      const { app, keys } = found;
      const secrets = {
        client_id: keys.clientId,
        client_secret: randomBytes(20).toString("hex"),
        webhook_secret: keys.webhookSecret,
        pem: keys.privateKey,
      };
      return { status: 201, body: { ...renderApp(world, app), ...secrets } };
    },
  },
];
