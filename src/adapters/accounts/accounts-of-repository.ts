import { type GithubVariables, readGithubRemote } from "../../core/config/github-remote.js";
import type { RegistryEntry } from "../../core/config/registry-entry.js";
import type { PinnedAccounts } from "../../core/govern/account-pin.js";
import { registryAdvice } from "../../core/replies/config/home.js";
import { accountAdvice } from "../../core/replies/runtimes/account-words.js";
import { UserError } from "../../lib/user-error.js";
import { AccountRefused } from "../../ports/agent-runtime.js";
import type { KoryphHome } from "../home/koryph-home.js";
import { Registry } from "../home/registry.js";

interface Place {
  /** As the repository's own project file has it, which proves nothing. */
  readonly project: string;
  /** `owner/name`. */
  readonly repository: string;
}

/**
 * What this machine's projects pin for a repository that somebody serves without a checkout. Throws a `UserError` where an
 * entry cannot be read, since it may be the one that pins, and where nobody can tell which pins are meant.
 */
export async function accountsOfRepository(
  home: KoryphHome,
  { project, repository }: Place,
  variables: GithubVariables = process.env as GithubVariables,
): Promise<PinnedAccounts> {
  const { entries, problems } = await new Registry(home).list();
  const [broken] = problems;
  if (broken !== undefined) throw UserError.of(registryAdvice.unreadable(broken.path, broken.problem));
  const pinning = entries.filter(({ accounts = {} }) => Object.keys(accounts).length > 0);
  const own = pinning.filter((entry) => repositoryOf(entry, variables) === repository.toLowerCase());
  const named = pinning.find(({ id }) => id === project);
  const chosen = own.length > 1 ? own.find(({ id }) => id === project) : (own[0] ?? named);
  const isOfAnother = own.length === 0 && named !== undefined && repositoryOf(named, variables) !== null;
  if (isOfAnother || (own.length > 1 && chosen === undefined)) {
    const { message, hint } = accountAdvice.whosePins(repository, project);
    throw new AccountRefused(message, hint);
  }
  return { project: chosen?.id ?? project, pins: chosen?.accounts ?? {} };
}

/** Null for a remote that is no repository on GitHub. */
function repositoryOf({ remote }: RegistryEntry, variables: GithubVariables): string | null {
  if (remote === null) return null;
  const place = readGithubRemote({ pushUrl: remote, isCheckout: false }, variables);
  return place.kind === "github" ? place.repository.toLowerCase() : null;
}
