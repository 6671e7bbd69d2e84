import { KeptAppFiles } from "../../adapters/home/kept-app-files.js";
import { locateHome } from "../../adapters/home/koryph-home.js";
import { keptAppAdvice } from "../../core/replies/app/kept-app.js";
import { UserError } from "../../lib/user-error.js";

/** One of them set means that the environment names the App: two Apps' values are never mixed. */
const NAMES_AN_APP = ["APP_ID", "PRIVATE_KEY", "PRIVATE_KEY_PATH", "WEBHOOK_SECRET"] as const;

interface KeptSettings {
  readonly folder: string;
  /** As the environment would say it. */
  readonly variables: {
    readonly APP_ID: string;
    readonly PRIVATE_KEY_PATH: string;
    readonly WEBHOOK_SECRET: string;
    readonly GITHUB_API_URL: string;
    readonly GITHUB_SERVER_URL: string;
    readonly WEBHOOK_PROXY_URL: string;
  };
}

/** The variables that name an App. */
export function appVariables(env: NodeJS.ProcessEnv): string[] {
  return NAMES_AN_APP.filter((name) => (env[name] ?? "") !== "");
}

/** The App that was set up for this home; null where there is none, or the environment names one. */
export function keptSettings(env: NodeJS.ProcessEnv): KeptSettings | null {
  if (appVariables(env).length > 0) return null;
  const files = new KeptAppFiles(locateHome(env));
  const app = files.read();
  if (app === null) return null;
  for (const [given = "", kept] of [
    [env.GITHUB_API_URL, app.api_url],
    [env.GITHUB_SERVER_URL, app.server_url],
  ] as const) {
    if (given !== "" && given.replace(/\/+$/, "") !== kept)
      throw UserError.of(keptAppAdvice.otherGitHub(files.folder, app.server_url, given));
  }
  return {
    folder: files.folder,
    variables: {
      APP_ID: `${app.app_id}`,
      PRIVATE_KEY_PATH: files.keyFile,
      WEBHOOK_SECRET: app.webhook_secret,
      GITHUB_API_URL: app.api_url,
      GITHUB_SERVER_URL: app.server_url,
      WEBHOOK_PROXY_URL: env.WEBHOOK_PROXY_URL || (app.webhook_proxy ?? ""),
    },
  };
}
