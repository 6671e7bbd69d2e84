import { expect, test } from "vitest";
import { readRole } from "../../../src/core/commands/roles.js";

test.each([
  { role_name: "admin", permission: "admin", role: "admin" },
  { role_name: "maintain", permission: "write", role: "maintain" },
  { role_name: "write", permission: "write", role: "write" },
  { role_name: "triage", permission: "read", role: "triage" },
  { role_name: "read", permission: "read", role: "read" },
  { role_name: "release captain", permission: "write", role: "write" },
  // Somebody named a role of their own like one of GitHub's: what it allows is what the older answer says.
  { role_name: "maintain", permission: "read", role: "read" },
  { role_name: "admin", permission: "none", role: "none" },
  { role_name: undefined, permission: "write", role: "write" },
  { role_name: "admin", permission: undefined, role: "none" },
  { role_name: 7, permission: {}, role: "none" },
])("$role_name with $permission is $role", ({ role_name, permission, role }) => {
  expect(readRole(role_name, permission)).toBe(role);
});
