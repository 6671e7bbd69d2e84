import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { World } from "../world/world.js";
import { addUser } from "../world/world-build.js";
import { signSsh, sshPublicKey } from "./ssh-signature.js";

export const WEB_FLOW = { login: "web-flow", name: "GitHub", email: "noreply@github.com" } as const;

/** Each world has a key of its own, which nobody else gets to see. */
const keys = new WeakMap<World, KeyObject>();

/** GitHub's own signature, under what its button makes. */
export function signAsGitHub(world: World, text: string): string {
  const user = addUser(world, WEB_FLOW.login, "User");
  const key = keys.get(world) ?? generateKeyPairSync("ed25519").privateKey;
  if (!keys.has(world)) {
    keys.set(world, key);
    user.emails = [{ address: WEB_FLOW.email, verified: true }];
    user.signingKeys = [...(user.signingKeys ?? []), sshPublicKey(key)];
  }
  return signSsh(key, text);
}
