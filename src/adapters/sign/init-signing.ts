import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import { signingAdvice } from "../../core/replies/sign/signing.js";
import { UserError } from "../../lib/user-error.js";
import { type AllowedKey, allowSigner } from "./allow-signer.js";
import { makeKey } from "./make-key.js";
import { openSigner, type SignerSettings } from "./open-signer.js";
import { keyPath, refuseInside } from "./read-key.js";

export interface InitFacts {
  readonly root: string;
  readonly config: Pick<ProjectConfig, "project_id" | "signing">;
  /** A path that the operator gave, from the folder koryph was started in. */
  readonly key: string | undefined;
  /** Where the key goes when nobody says anything else. */
  readonly ownKey: string;
  readonly socketFolder: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface InitAnswer {
  readonly provider: SignerSettings["provider"];
  readonly keyRef: string;
  readonly fingerprint: string;
  readonly publicKey: string;
  readonly principal: string;
  readonly keyMade: boolean;
  readonly allowed: AllowedKey;
  /** Whether the project file names this key already. */
  readonly configured: boolean;
}

/**
 * Sees that there is a key and that the operator's checkout allows it: the given one, else the one that the
 * project names, else one of koryph's own. May be repeated; what is there is kept.
 */
export async function initSigning(facts: InitFacts): Promise<InitAnswer> {
  const { root, config, socketFolder, env } = facts;
  const principal = `koryph@${config.project_id}`;
  const chosen = choose(facts);
  let keyMade = false;
  if (chosen.provider === "file") {
    await refuseInside(chosen.keyRef, root);
    keyMade = await makeKey(chosen.keyRef, principal);
  }
  const signer = await openSigner({ ...chosen, root, socketFolder, env });
  await signer.close();
  const { publicKey, fingerprint } = signer;
  const allowed = await allowSigner(root, principal, publicKey);
  const keyRef = chosen.provider === "file" ? fromHome(chosen.keyRef, env) : chosen.keyRef;
  const { configured, provider } = chosen;
  return { provider, keyRef, fingerprint, publicKey, principal, keyMade, allowed, configured };
}

interface Chosen extends Pick<SignerSettings, "provider" | "keyRef"> {
  readonly configured: boolean;
}

function choose({ config: { signing }, key, ownKey, env }: InitFacts): Chosen {
  const { provider, key_ref } = signing;
  const named = provider === "file" && key_ref !== undefined ? keyPath(key_ref, env) : null;
  if (key?.trim() === "") throw UserError.of(signingAdvice.emptyPath());
  if (key !== undefined) {
    const path = key.startsWith("~/") ? keyPath(key, env) : resolve(key);
    return { provider: "file", keyRef: path, configured: path === named };
  }
  if (named !== null) return { provider: "file", keyRef: named, configured: true };
  if (provider !== undefined && key_ref !== undefined) return { provider, keyRef: key_ref, configured: true };
  return { provider: "file", keyRef: ownKey, configured: false };
}

/** Spelt so that it means the same for a colleague with another home folder. */
export function fromHome(path: string, env: NodeJS.ProcessEnv): string {
  const way = relative(env.HOME || homedir(), path);
  return way === "" || way.startsWith("..") ? path : `~/${way}`;
}
