import { InstallationTokens } from "../adapters/github/apps/installation-tokens.js";
import { readBypass } from "../adapters/github/pulls/read-bypass.js";
import { readOwnRole } from "../adapters/github/read-own-role.js";
import { type TokenSource, tokenClient } from "../adapters/github/token-client.js";
import { privateKeyOf } from "../app/serve/serve-private-key.js";
import type { ActionInputs } from "../core/config/action-inputs.js";
import { unfitForRunner } from "../core/doctor/runner-app.js";
import { actionAdvice } from "../core/replies/surfaces/action.js";
import { UserError } from "../lib/user-error.js";
import type { RunnerFacts } from "./runner-facts.js";

/** What a run writes, and nothing else that its App may. */
const PERMISSIONS = { contents: "write", pull_requests: "write", issues: "write", checks: "write" } as const;

type Given = Pick<ActionInputs, "token" | "app-id" | "app-private-key">;

/** The inputs that a run still needs to reach GitHub. */
export function missingForToken({ token, "app-id": id, "app-private-key": key }: Given): readonly string[] {
  if (id === undefined && key === undefined) return token === undefined ? ["token"] : [];
  if (token !== undefined) throw UserError.of(actionAdvice.tokenBesideKey());
  return [...(id === undefined ? ["app-id"] : []), ...(key === undefined ? ["app-private-key"] : [])];
}

/**
 * The token that the workflow gave, or ones that its App's key makes for as long as the run lasts. The key of an App
 * that could get past the base branch's rules is refused: agents run beside it. `told` hears of each token that is made.
 */
export async function runToken(
  { token, "app-id": appId, "app-private-key": key }: Given,
  { repository, apiUrl }: Pick<RunnerFacts, "repository" | "apiUrl">,
  { branch, told }: { readonly branch: string | undefined; readonly told: (token: string) => void },
): Promise<TokenSource> {
  if (appId === undefined || key === undefined) return async () => token ?? "";
  const tokens = new InstallationTokens({
    ...{ apiUrl, appId, repository, permissions: PERMISSIONS, now: Date.now, told },
    privateKey: privateKeyOf("app-private-key", key),
  });
  const installation = await tokens.installation();
  if (installation === null || installation.isSuspended)
    throw UserError.of(actionAdvice.appAway(appId, repository, installation !== null));
  const client = await tokenClient({ apiUrl, token: tokens.token });
  const base = branch ?? (await readOwnRole(client, repository)).defaultBranch;
  const rulesets = await readBypass(client, { repository, branch: base, asApp: client });
  const unfit = unfitForRunner(installation.permissions, rulesets);
  if (unfit.length > 0) throw UserError.of(actionAdvice.appUnfit(appId, unfit));
  return tokens.token;
}
