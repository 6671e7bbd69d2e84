import type { GithubApp } from "../../adapters/github/app-client.js";
import { AppDirectory, type AppIdentity } from "../../adapters/github/app-directory.js";
import { statusOf } from "../../adapters/github/request-error.js";
import { reachAdvice, reachWords } from "../../core/replies/app/reach.js";
import { UserError } from "../../lib/user-error.js";
import type { ServerLog } from "../http/server-log.js";
import type { Settings } from "./read-settings.js";

/** Who the App is; GitHub is asked until it has answered once. */
export function appIdentity(app: GithubApp): () => Promise<AppIdentity> {
  let known: Promise<AppIdentity> | null = null;
  return () => {
    known ??= new AppDirectory(app).identity().catch((error) => {
      known = null;
      throw error;
    });
    return known;
  };
}

export async function clientIdOf(identity: () => Promise<AppIdentity>): Promise<string> {
  const { clientId } = await identity();
  if (clientId === null) throw new Error("GitHub does not tell the App's client id");
  return clientId;
}

/**
 * Throws what the operator can put right when GitHub says that there is no such App, or that this is not its key. No
 * clear answer is only worth a warning: deliveries have to be taken also while GitHub's API is in trouble.
 */
export async function checkIdentity(
  identity: () => Promise<unknown>,
  { apiUrl, appId, privateKeyFrom }: Pick<Settings, "apiUrl" | "appId" | "privateKeyFrom">,
  log: Pick<ServerLog, "warn">,
): Promise<void> {
  try {
    await identity();
  } catch (error) {
    switch (statusOf(error)) {
      case 401:
        throw UserError.of(reachAdvice.wrongKey(apiUrl, appId, privateKeyFrom));
      case 404:
        throw UserError.of(reachAdvice.unknownApp(apiUrl, appId));
      default:
        log.warn({ why: error instanceof Error ? error.message : `${error}` }, reachWords.unsure(appId));
    }
  }
}
