import { endGate } from "../../adapters/gate/end-gate.js";
import { ProcessGate } from "../../adapters/gate/process-gate.js";
import type { Clones } from "../../adapters/git/clones/clones.js";
import { type LandingRepo, openLandingRepo } from "../../adapters/git/landing/landing-repo.js";
import { takeLocalLock } from "../../adapters/home/local-lock.js";
import { RunFolders } from "../../adapters/home/run-folders.js";
import { projectSigner } from "../../adapters/sign/project-signer.js";
import { verifySignatures } from "../../adapters/sign/verify-signatures.js";
import type { AgentProcesses } from "../../ports/agent-processes.js";
import type { Gate } from "../../ports/gate.js";
import type { WiredProject } from "./wire-project.js";

/** Who agents' commits are by until they are signed, and who they are committed by from then on. */
export const AGENT = { name: "koryph agent", email: "agent@koryph.invalid" };
const ENGINE = { name: "koryph", email: "engine@koryph.invalid" };

/** What landing works with. */
export interface WiredLanding {
  readonly repo: LandingRepo;
  readonly gate: Gate;
  readonly folders: RunFolders;
  readonly landLock: () => Promise<{ release(): Promise<void> } | null>;
  close(): Promise<void>;
}

export async function wireLanding(
  project: WiredProject,
  clones: Clones,
  processes: AgentProcesses,
): Promise<WiredLanding> {
  const { config, root, home, projectHome } = project;
  const signer = await projectSigner(project);
  const repo = await openLandingRepo({
    clones,
    projectHome,
    operatorRepo: root,
    signer,
    engineIdentity: ENGINE,
    agentEmail: AGENT.email,
    verify: verifySignatures,
  });
  const gate = new ProcessGate({
    processes,
    checkOut: (name, head) => repo.checkOut(name, head),
    dropCheckout: (name) => repo.dropCheckout(name),
    environment: process.env,
  });
  const landLock = async () => {
    const attempt = await takeLocalLock(home.landLock(config.project_id));
    return attempt.kind === "held" ? null : attempt.lock;
  };
  const folders = new RunFolders(home, config.project_id, (folder) => endGate(processes, folder));
  return { repo, gate, folders, landLock, close: async () => signer?.close() };
}
