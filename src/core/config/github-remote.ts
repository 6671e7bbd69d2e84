/** A repository on GitHub, as the address of a remote tells. */
export interface GithubRemote {
  readonly kind: "github";
  /** `owner/name`. */
  readonly repository: string;
  /** Where people and git go: `github.com`, or `host:port`. */
  readonly host: string;
  readonly apiUrl: string;
}

/** Why there can be no pull requests. */
export type NoGithub =
  | { readonly kind: "no_remote" }
  /** `host` is empty for a folder. */
  | { readonly kind: "not_github"; readonly host: string };

/** The names under which GitHub's own address goes; `ssh.github.com` answers where only port 443 is open. */
const GITHUB_COM: ReadonlySet<string> = new Set(["github.com", "www.github.com", "ssh.github.com"]);

/** What the environment says of a GitHub of one's own. Actions sets both, everywhere. */
export interface GithubVariables {
  readonly GITHUB_SERVER_URL?: string | undefined;
  readonly GITHUB_API_URL?: string | undefined;
}

/**
 * Which repository on GitHub a remote is, and where its API answers. A host that is neither github.com, nor below
 * ghe.com, nor named by the environment counts as no GitHub: it would be sent the operator's token.
 */
export function readGithubRemote(
  { pushUrl, isCheckout }: { readonly pushUrl: string; readonly isCheckout: boolean },
  variables: GithubVariables,
): GithubRemote | NoGithub {
  if (isCheckout) return { kind: "no_remote" };
  const place = placeIn(pushUrl);
  if (place === null) return { kind: "not_github", host: "" };
  const { host, repository } = place;
  const apiUrl = apiOf(host, variables);
  if (apiUrl === null || repository === null) return { kind: "not_github", host };
  return { kind: "github", repository, host: GITHUB_COM.has(host) ? "github.com" : host, apiUrl };
}

function placeIn(url: string): { readonly host: string; readonly repository: string | null } | null {
  const [, scheme = "", host = "", path = ""] =
    /^([a-z][a-z0-9+.-]*):\/\/(?:[^/@]*@)?([^/]*)\/(.*)$/i.exec(url) ?? [];
  if (scheme !== "") {
    if (scheme === "file") return null;
    // The port of ssh says nothing about where people and the API go.
    const plain = /^(ssh|git\+ssh|git)$/i.test(scheme) ? host.replace(/:\d+$/, "") : host;
    return { host: plain.toLowerCase(), repository: repositoryIn(path) };
  }
  // As scp writes it; a path with a colon in it begins with a slash or a dot.
  const [, short = "", rest = ""] = /^(?:[^@/]+@)?([^/:.][^/:]*):(.*)$/.exec(url) ?? [];
  return short === "" ? null : { host: short.toLowerCase(), repository: repositoryIn(rest) };
}

/** Null for what names no repository of GitHub's. */
function repositoryIn(path: string): string | null {
  const plain = path
    .replace(/^\/+/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
  return /^[\w-]+\/[\w.-]+$/.test(plain) ? plain : null;
}

function apiOf(host: string, { GITHUB_SERVER_URL: server, GITHUB_API_URL: api }: GithubVariables) {
  if (server !== undefined && hostOf(server) === host) {
    const own = `${server.replace(/\/+$/, "")}/api/v3`;
    return api || (GITHUB_COM.has(host) ? "https://api.github.com" : own);
  }
  if (GITHUB_COM.has(host)) return "https://api.github.com";
  return /^[\w-]+\.ghe\.com$/.test(host) ? `https://api.${host}` : null;
}

function hostOf(url: string): string {
  return /^https?:\/\/(?:[^/@]*@)?([^/]+)/i.exec(url)?.[1]?.toLowerCase() ?? "";
}
