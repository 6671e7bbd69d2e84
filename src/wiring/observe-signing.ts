import { existsSync } from "node:fs";
import type { Clones } from "../adapters/git/clones/clones.js";
import { readFileAt } from "../adapters/git/exec/read-file-at.js";
import { fromHome } from "../adapters/sign/init-signing.js";
import { ownKeyOf, projectSigner } from "../adapters/sign/project-signer.js";
import { proveSigner } from "../adapters/sign/prove-signer.js";
import { ALLOWED_SIGNERS } from "../core/replies/sign/signing.js";
import { signingProblemAdvice } from "../core/replies/sign/signing-status.js";
import { allowedSigners } from "../core/sign/allowed-signers.js";
import {
  type Observation,
  type SignedBase,
  type SigningFacts,
  signingState,
} from "../core/sign/signing-state.js";
import { UserError } from "../lib/user-error.js";
import type { Signer } from "../ports/signer.js";
import type { WiredProject } from "./wire-project.js";

/** Throws when commits must be signed and koryph's own would not count: no agent is started for nothing. */
export async function requireSigning(project: WiredProject, clones: Clones): Promise<void> {
  if (!project.config.signing.required) return;
  const state = signingState(await observeSigning(project, clones));
  if (state.kind === "not-ready") throw UserError.of(signingProblemAdvice(state.why));
}

/** Whether the project's key can be had, and what the default branch says of it. */
export async function observeSigning(project: WiredProject, clones: Clones): Promise<SigningFacts> {
  const { project_id, signing } = project.config;
  const { required, provider = null, key_ref: keyRef = null } = signing;
  const nothing = { key: null, base: null, ownKey: null };
  const facts = { project: project_id, required, provider, keyRef, ...nothing };
  const opened = await observed(() => projectSigner(project));
  if (opened.kind === "failed") return { ...facts, key: opened };
  const signer = opened.value;
  if (signer === null) return { ...facts, ownKey: unnamedKey(project) };
  try {
    return {
      ...facts,
      key: { kind: "seen", value: signer },
      base: await observed(() => observeBase(project, signer, clones)),
    };
  } finally {
    await signer.close();
  }
}

/** The key that `koryph signing init` made, spelt as it belongs into the project file; null when there is none. */
function unnamedKey({ home, config }: WiredProject): string | null {
  const path = ownKeyOf(home, config.project_id);
  return existsSync(path) ? fromHome(path, process.env) : null;
}

async function observeBase(project: WiredProject, signer: Signer, clones: Clones): Promise<SignedBase> {
  const { defaultBranch: branch, base } = await clones.fetch();
  const text = await readFileAt(project.home.repository(project.config.project_id), base, ALLOWED_SIGNERS);
  const principal = await proveSigner(signer, text ?? "");
  return { branch, allowed: text === null ? null : allowedSigners(text), principal };
}

/** What the operator can mend is part of the report, not the end of it. */
async function observed<T>(action: () => Promise<T>): Promise<Observation<T>> {
  try {
    return { kind: "seen", value: await action() };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: "failed", why: { message: error.message, hint: error.hint } };
  }
}
