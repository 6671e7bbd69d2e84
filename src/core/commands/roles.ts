/** What people may do on a repository, in rising order. */
export const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof ROLES)[number];

export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** What GitHub's older answer calls each role: it knows neither triage nor maintain. */
const OLDER: Readonly<Record<Role, string>> = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin",
};

/**
 * The role behind GitHub's two answers. An organisation can give a role a name of its own, were it one of these; so the
 * name counts only where the older answer fits it. Else the older one counts, which never says too much.
 */
export function readRole(roleName: unknown, permission: unknown): Role {
  const named = asRole(roleName);
  return named !== null && OLDER[named] === permission ? named : (asRole(permission) ?? "none");
}

function asRole(value: unknown): Role | null {
  return ROLES.find((role) => role === value) ?? null;
}
