import { guarded } from "./git-settings.js";

/** Variables git may see. Everything else, `GIT_DIR` of a calling hook above all, would steer it elsewhere. */
const PASSED_ON = ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"];

/** What a remote may need to be reached: keys, proxies, certificates. */
const FOR_REMOTES = [
  "SSH_AUTH_SOCK",
  "GIT_SSH_COMMAND",
  ...["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"],
];

/** All that git sees: a few variables of the operator's, what is added here, and settings that let no file name a program. */
export function gitEnvironment(additions: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" };
  for (const name of [...PASSED_ON, ...FOR_REMOTES])
    if (process.env[name] !== undefined) env[name] = process.env[name];
  return guarded({ ...env, ...additions });
}
