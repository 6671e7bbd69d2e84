import type { JsonObject } from "../http/json.js";
import type { Protection } from "../world/rules/protection.js";
import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { repositoryUrl } from "./repository.js";

/** As those see it who may administer the repository. */
export function renderProtection(
  world: World,
  repository: Repository,
  { branch, protection }: { readonly branch: string; readonly protection: Protection },
): JsonObject {
  const url = `${repositoryUrl(world, repository)}/branches/${branch}/protection`;
  const { checks, reviews } = protection;
  return {
    url,
    ...(checks && { required_status_checks: renderChecks(url, checks) }),
    ...(reviews && {
      required_pull_request_reviews: {
        url: `${url}/required_pull_request_reviews`,
        dismiss_stale_reviews: reviews.dismissStale,
        require_code_owner_reviews: reviews.codeOwners,
        require_last_push_approval: reviews.lastPush,
        required_approving_review_count: reviews.count,
      },
    }),
    required_signatures: { url: `${url}/required_signatures`, enabled: protection.signatures },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: protection.enforceAdmins },
    required_linear_history: { enabled: protection.linear },
    allow_force_pushes: { enabled: protection.forcePushes },
    allow_deletions: { enabled: protection.deletions },
    block_creations: { enabled: false },
    required_conversation_resolution: { enabled: protection.conversations },
    lock_branch: { enabled: false },
    allow_fork_syncing: { enabled: false },
  };
}

/** What everybody sees of it, as a part of the branch. */
export function renderProtectionHint(
  world: World,
  repository: Repository,
  { branch, protection }: { readonly branch: string; readonly protection: Protection | null },
): JsonObject {
  const url = `${repositoryUrl(world, repository)}/branches/${branch}/protection`;
  const checks = protection?.checks ?? null;
  const enforcement = checks === null ? "off" : protection?.enforceAdmins ? "everyone" : "non_admins";
  return {
    enabled: protection !== null,
    required_status_checks: {
      ...renderChecks(url, checks ?? { strict: false, required: [] }),
      enforcement_level: enforcement,
    },
  };
}

function renderChecks(url: string, { strict, required }: NonNullable<Protection["checks"]>): JsonObject {
  return {
    url: `${url}/required_status_checks`,
    strict,
    contexts: required.map(({ context }) => context),
    contexts_url: `${url}/required_status_checks/contexts`,
    checks: required.map(({ context, app }) => ({ context, app_id: app })),
  };
}
