import { readFileSync } from "node:fs";

let known: string | undefined;

/** Changes with every start of the machine, and with it pids and start times begin anew. */
export function bootId(): string {
  known ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return known;
}
