import type { Octokit } from "../../adapters/github/app-client.js";
import { appJwt } from "../../adapters/github/apps/app-jwt.js";
import { readAppByName, readOwnApp } from "../../adapters/github/apps/read-app.js";
import { statusOf } from "../../adapters/github/request-error.js";
import { tokenClient } from "../../adapters/github/token-client.js";
import { KeptAppFiles } from "../../adapters/home/kept-app-files.js";
import { locateHome } from "../../adapters/home/koryph-home.js";
import { appVariables } from "../../app/serve/kept-settings.js";
import { readPrivateKey } from "../../app/serve/serve-private-key.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import type { AppFacts } from "../../core/doctor/examine-app.js";
import { UserError } from "../../lib/user-error.js";

/** The App that the project works with. */
export interface ObservedApp {
  readonly facts: AppFacts;
  /** The name that runners take jobs from; null where there are none. */
  readonly named: string | null;
  /** Speaks for the App on the repository, and may only look; null without its key. */
  readonly asApp: Octokit | null;
}

interface Place {
  readonly client: Octokit;
  readonly repository: string;
  readonly apiUrl: string;
}

/** Null where nothing says that there is one: neither the project file, nor a key in the environment or kept here. */
export async function observeApp(
  { client, repository, apiUrl }: Place,
  { app: slug, workflow }: ProjectConfig["jobs"],
): Promise<ObservedApp | null> {
  const named = workflow === undefined ? null : slug;
  const env = appEnvironment(apiUrl);
  const appId = env.APP_ID ?? "";
  try {
    const key = appId === "" ? null : readPrivateKey(env);
    if (key !== null) {
      const asked = await tokenClient({ apiUrl, token: appJwt(appId, key, Date.now()) });
      const { app, token } = await readOwnApp(asked, repository);
      const asApp = token === null ? null : await tokenClient({ apiUrl, token });
      return { facts: app, named, asApp };
    }
  } catch (error) {
    // A text that is no key, and a key that GitHub does not know as this App's.
    if (!(error instanceof UserError) && statusOf(error) !== 404) throw error;
    return { facts: { kind: "unseen", slug: appId, why: "key" }, named: null, asApp: null };
  }
  if (named === null) return null;
  const facts = await readAppByName(client, named);
  return { facts: facts ?? { kind: "unseen", slug: named, why: "hidden" }, named, asApp: null };
}

/** What names the App: the environment, else what was set up on this machine for the same GitHub. */
function appEnvironment(apiUrl: string): NodeJS.ProcessEnv {
  if (appVariables(process.env).length > 0) return process.env;
  const files = new KeptAppFiles(locateHome());
  const app = files.read();
  if (app === null || app.api_url !== apiUrl.replace(/\/+$/, "")) return process.env;
  return { APP_ID: `${app.app_id}`, PRIVATE_KEY_PATH: files.keyFile };
}
