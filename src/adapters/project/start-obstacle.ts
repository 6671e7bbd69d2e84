import { landingAdvice } from "../../core/replies/land/landing-repo.js";
import { type Advice, UserError } from "../../lib/user-error.js";
import { findBase } from "../git/remote/fetch-remote.js";
import { openRemote } from "../git/remote/remote.js";
import { openRuntime, type RuntimeHome } from "../runtimes/open-runtime.js";
import type { Project } from "./open-project.js";

/** What would end a run before it began, on this machine and as the remote is now; null when nothing. Makes no folders. */
export async function startObstacle(project: Project & RuntimeHome): Promise<Advice | null> {
  const { root, config } = project;
  try {
    const runtime = openRuntime(config.default_runtime, project);
    await runtime.probe();
    await runtime.account?.();
    const remote = await openRemote(root, config.ledger.remote);
    const asked = config.default_branch ?? null;
    const { defaultBranch, elsewhere } = await findBase(remote, { operatorRepo: root, asked, kept: null });
    return elsewhere === undefined ? null : landingAdvice.otherBranch(defaultBranch, elsewhere);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message, hint } = error;
    return { message, hint };
  }
}
