import { endGate } from "../adapters/gate/end-gate.js";
import { GateMemory } from "../adapters/gate/gate-memory.js";
import { ProcessGate } from "../adapters/gate/process-gate.js";
import { RememberingGate } from "../adapters/gate/remembering-gate.js";
import type { Clones } from "../adapters/git/clones/clones.js";
import { type LandingRepo, openLandingRepo } from "../adapters/git/landing/landing-repo.js";
import { GitReceipts } from "../adapters/git/receipts/git-receipts.js";
import { takeLocalLock } from "../adapters/home/local-lock.js";
import { RunFolders } from "../adapters/home/run-folders.js";
import { projectSigner } from "../adapters/sign/project-signer.js";
import { verifySignatures } from "../adapters/sign/verify-signatures.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import { withoutCredentials } from "../core/redact.js";
import type { AgentProcesses } from "../ports/agent-processes.js";
import type { Gate } from "../ports/gate.js";
import type { LandTurn } from "../ports/land-turn.js";
import type { Signer } from "../ports/signer.js";
import type { WiredProject } from "./wire-project.js";

/** Who agents' commits are by, and who commits them until they are signed. */
export const AGENT = { name: "koryph agent", email: "agent@koryph.invalid" };

/** GitHub calls a signature verified only where the committer's address and the key are of one account. */
export function engineIdentity({ signing }: Pick<ProjectConfig, "signing">) {
  return { name: "koryph", email: signing.email ?? "engine@koryph.invalid" };
}

/** What landing works with. */
export interface WiredLanding {
  readonly repo: LandingRepo;
  readonly gate: Gate;
  readonly receipts: GitReceipts;
  readonly folders: RunFolders;
  /** The project's own key; null when it names none. */
  readonly signer: Signer | null;
  readonly landTurn: () => Promise<LandTurn>;
  close(): Promise<void>;
}

export async function wireLanding(
  project: WiredProject,
  clones: Clones,
  processes: AgentProcesses,
): Promise<WiredLanding> {
  const { config, root, home, projectHome, version } = project;
  const signer = await projectSigner(project);
  const repo = await openLandingRepo({
    clones,
    projectHome,
    operatorRepo: root,
    signer,
    engineIdentity: engineIdentity(config),
    agentEmail: AGENT.email,
    verify: verifySignatures,
  });
  const runner = new ProcessGate({
    processes,
    checkOut: (name, head) => repo.checkOut(name, head),
    dropCheckout: (name) => repo.dropCheckout(name),
    objects: repo.objects,
    environment: process.env,
  });
  const gate = new RememberingGate(runner, new GateMemory(home.gateAnswers(config.project_id), process.env));
  const landTurn = async (): Promise<LandTurn> => {
    const file = home.landLock(config.project_id);
    const attempt = await takeLocalLock(file);
    if (attempt.kind === "taken") return { ...attempt.lock, kind: "ours" };
    const { by } = attempt;
    return { kind: "theirs", by: { ...by, own: by.pid === process.pid, work: by.work ?? null, file } };
  };
  const folders = new RunFolders(home, config.project_id, (folder) => endGate(processes, folder));
  const receipts = new GitReceipts({
    repo: home.repository(config.project_id),
    reach: () => clones.reach(),
    where: { project: config.project_id, repository: publicAddress(project.remote.url), koryph: version },
    signer,
    now: Date.now,
  });
  return { repo, gate, receipts, folders, signer, landTurn, close: async () => signer?.close() };
}

/** Null for a path, which means nothing on another machine and may name a person. */
function publicAddress(url: string): string | null {
  return /^(?:file:|\/)/i.test(url) ? null : withoutCredentials(url);
}
