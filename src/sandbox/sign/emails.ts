import type { User } from "../world/state.js";
import type { World } from "../world/world.js";

/** Whose address it is, and whether they have shown that; null for one that belongs to nobody here. */
export function emailOwner(
  world: World,
  email: string,
): { readonly user: User; readonly verified: boolean } | null {
  const login = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email)?.[1];
  const user = login === undefined ? null : world.user(login);
  if (user !== null) return { user, verified: true };
  const wanted = email.toLowerCase();
  for (const each of world.state.users) {
    const found = each.emails?.find(({ address }) => address.toLowerCase() === wanted);
    if (found !== undefined) return { user: each, verified: found.verified };
  }
  return null;
}
