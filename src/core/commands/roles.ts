/** What people may do on a repository, in rising order. */
export const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof ROLES)[number];

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/**
 * The role behind GitHub's two answers. An organisation can give a role a name of its own; then only the older
 * answer tells what it allows, which is never too much: it calls maintain write, and triage read.
 */
export function readRole(roleName: unknown, permission: unknown): Role {
  return asRole(roleName) ?? asRole(permission) ?? "none";
}

function asRole(value: unknown): Role | null {
  return ROLES.find((role) => role === value) ?? null;
}
