import { userInfo } from "node:os";

/** The person at the keyboard, as far as the system knows one. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
