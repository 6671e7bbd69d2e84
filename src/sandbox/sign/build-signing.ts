import type { World } from "../world/world.js";
import { addUser } from "../world/world-build.js";

/** What people have told GitHub about themselves. Who is not there yet is made. */
export interface SigningBuilders {
  /** `ssh-ed25519 AAAA…`, with or without a comment behind it. */
  addSigningKey(login: string, publicKey: string): void;
  removeSigningKey(login: string, publicKey: string): void;
  /** An address besides the one that GitHub gave them. */
  addEmail(login: string, address: string, verified?: boolean): void;
}

export function signingBuilders(world: World): SigningBuilders {
  const bare = (publicKey: string) => publicKey.trim().split(/\s+/).slice(0, 2).join(" ");
  return {
    addSigningKey: (login, publicKey) => {
      const user = addUser(world, login, "User");
      user.signingKeys = [...(user.signingKeys ?? []), bare(publicKey)];
    },
    removeSigningKey: (login, publicKey) => {
      const user = addUser(world, login, "User");
      user.signingKeys = (user.signingKeys ?? []).filter((key) => key !== bare(publicKey));
    },
    addEmail: (login, address, verified = true) => {
      const user = addUser(world, login, "User");
      user.emails = [...(user.emails ?? []), { address, verified }];
    },
  };
}
