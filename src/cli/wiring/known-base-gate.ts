import { existsSync } from "node:fs";
import { GateMemory } from "../../adapters/gate/gate-memory.js";
import { quietGit } from "../../adapters/git/exec/quiet-git.js";
import { openRemote } from "../../adapters/git/remote/remote.js";
import { askRemote } from "../../adapters/git/remote/remote-refs.js";
import { locateHome } from "../../adapters/home/koryph-home.js";
import type { Project } from "../../adapters/project/open-project.js";
import type { UnseenWork } from "../../core/land/unseen-work.js";
import { UserError } from "../../lib/user-error.js";
import { unseenHere } from "../../wiring/unseen-here.js";

export interface KnownBaseGate {
  readonly kind: "green" | "red";
  readonly head: string;
  /** Looked for only where it is red. */
  readonly unseen: UnseenWork | null;
}

/** What this machine knows of the gate on the default branch as it is now; null when nothing. Makes no folders. */
export async function knownBaseGate({ config, root }: Project): Promise<KnownBaseGate | null> {
  const home = locateHome();
  const repo = home.repository(config.project_id);
  if (!existsSync(repo)) return null;
  const named = await quietGit(repo, ["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"]);
  const branch = named.stdout.trimEnd().replace("refs/remotes/origin/", "refs/heads/");
  if (branch === "") return null;
  try {
    const remote = await openRemote(root, config.ledger.remote);
    const head = (await askRemote(remote, [branch])).tips.get(branch);
    if (head === undefined) return null;
    const memory = new GateMemory(home.gateAnswers(config.project_id), process.env);
    const kind = memory.find({ head, commands: [...config.bootstrap, ...config.gate] })?.kind;
    if (kind === undefined) return null;
    const base = { branch: branch.slice("refs/heads/".length), tip: head };
    return { kind, head, unseen: kind === "red" ? await unseenHere({ config, root, remote }, base) : null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return null;
  }
}
