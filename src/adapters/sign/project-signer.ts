import { join } from "node:path";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import type { Signer } from "../../ports/signer.js";
import type { KoryphHome } from "../home/koryph-home.js";
import { openSigner } from "./open-signer.js";

export interface SigningProject {
  readonly root: string;
  readonly config: Pick<ProjectConfig, "signing">;
  readonly home: KoryphHome;
}

/** The signer that a project names; null when it names none. */
export async function projectSigner(
  { root, config, home }: SigningProject,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Signer | null> {
  const { provider, key_ref: keyRef } = config.signing;
  if (provider === undefined || keyRef === undefined) return null;
  return openSigner({ provider, keyRef, root, socketFolder: socketsOf(home), env });
}

export function socketsOf(home: KoryphHome): string {
  return join(home.path, "sockets");
}

/** Where the key of a project goes that names none. */
export function ownKeyOf(home: KoryphHome, project: string): string {
  return join(home.path, "keys", project);
}
