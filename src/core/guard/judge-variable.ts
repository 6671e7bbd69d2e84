import { denied, type GuardFinding, undecided } from "./guard-verdict.js";
import { holdsSecrets } from "./paths/judge-path.js";
import { isKnown } from "./shell/open-text.js";
import type { Situation } from "./situation.js";

/** koryph says by these how git works here, and finds what an agent leaves running. */
const OURS =
  /^(GIT_CONFIG(_.*)?|GIT_SSH.*|GIT_ASKPASS|SSH_ASKPASS|GIT_PROXY_COMMAND|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_ALLOW_PROTOCOL|GIT_TERMINAL_PROMPT|GIT_EXTERNAL_DIFF|KORYPH_.*)$/;
/** What they name is run by git or by a shell. */
const COMMANDS = /^((GIT_|GIT_SEQUENCE_)?EDITOR|VISUAL|(GIT_|MAN)?PAGER|PROMPT_COMMAND)$/;
const SCRIPTS = /^(BASH_ENV|ENV)$/;
/** Programs look for log-ins there. */
const PLACES =
  /^(HOME|XDG_(CONFIG|DATA|RUNTIME)_\w+|GH_CONFIG_DIR|DOCKER_CONFIG|KUBECONFIG|NETRC|GNUPGHOME|CODEX_HOME|CLAUDE_CONFIG_DIR|CARGO_HOME|AWS_\w*FILE|NPM_CONFIG_USERCONFIG|npm_config_userconfig)$/;
const REPOSITORY =
  /^GIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;

/** What follows from setting a variable; from removing it where the value is null. */
export function judgeVariable(name: string, value: string | null, situation: Situation): GuardFinding[] {
  if (!isKnown(name)) return undecided("unknown-words");
  if (OURS.test(name)) return denied("enforcement", name);
  if (value === null) return [];
  if (name === "SSH_AUTH_SOCK" || name === "SSH_AGENT_PID") return denied("agent-socket", name);
  // Programs and folders are then found elsewhere, or bring other code along.
  if (/^(PATH|CDPATH|LD_\w+|DYLD_\w+|PYTHONSTARTUP|PERL5OPT|RUBYOPT)$/.test(name))
    return undecided("unknown-program");
  if (name === "NODE_OPTIONS" && /require|import|loader|-r\b/.test(value)) return undecided("other-language");
  if (COMMANDS.test(name)) return situation.text(value);
  if (SCRIPTS.test(name)) return situation.script(value);
  if (REPOSITORY.test(name)) return situation.path(value.replace(/\/?\.git\/?$/, "") || ".", "write");
  if (PLACES.test(name)) {
    const { facts, cwd } = situation;
    return holdsSecrets(value, facts, cwd)
      ? denied("credentials", `${name}=${value}`)
      : situation.path(value, "read");
  }
  return [];
}
