import { tokenClient } from "../../adapters/github/token-client.js";
import { withoutCredentials } from "../../core/redact.js";
import { pullAdvice } from "../../core/replies/review/pull-words.js";
import { UserError } from "../../lib/user-error.js";

export interface OperatorGithub {
  /** `owner/name`. */
  readonly repository: string;
  readonly client: ReturnType<typeof tokenClient>;
}

const ADDRESS = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^/:]+(?::\d+)?)[:/]+([\w-]+\/[\w.-]+?)(?:\.git)?\/*$/i;

/**
 * The project's repository on GitHub, with the operator's own token. Only github.com and the server that the environment
 * names are ever sent the token.
 */
export function operatorGithub(remoteUrl: string, env: NodeJS.ProcessEnv = process.env): OperatorGithub {
  const [, host = "", repository = ""] = ADDRESS.exec(remoteUrl) ?? [];
  const apiUrl = apiOf(host.toLowerCase(), env);
  if (apiUrl === null || repository === "")
    throw UserError.of(pullAdvice.noGithub(withoutCredentials(remoteUrl)));
  const token = env.GITHUB_TOKEN?.trim() || env.GH_TOKEN?.trim();
  if (!token) throw UserError.of(pullAdvice.noToken());
  return { repository, client: tokenClient({ apiUrl, token }) };
}

function apiOf(
  host: string,
  { GITHUB_SERVER_URL: server, GITHUB_API_URL: api }: NodeJS.ProcessEnv,
): string | null {
  if (server && api && hostOf(server) === host) return api;
  return host === "github.com" ? "https://api.github.com" : null;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.toLowerCase() : "";
}
