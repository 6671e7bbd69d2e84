import type { Role } from "../../core/commands/roles.js";
import type { Threads } from "../../ports/threads.js";

type AskedThreads = Pick<Threads, "read" | "role">;

/** The same, asking about each person once. For one look: what somebody may do can be another thing at the next. */
export function askRolesOnce(threads: AskedThreads): AskedThreads {
  const asked = new Map<string, Promise<Role>>();
  return {
    read: (comment) => threads.read(comment),
    role: (login) => {
      const role = asked.get(login) ?? threads.role(login);
      asked.set(login, role);
      return role;
    },
  };
}
