import { readlinkSync } from "node:fs";

/** The kernel gives the machine's own pid namespace this number, on every machine. */
const MACHINE = "pid:[4026531836]";

let known: string | undefined;

/** Within which pids are counted: in another container the same number means another process. Empty where no system tells. */
export function pidSpace(): string {
  try {
    known ??= readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
  return known;
}

/** The same for records that all containers of a machine share; null in the machine's own, which is the usual one. */
export function containerSpace(): string | null {
  const space = pidSpace();
  return space === MACHINE || space === "" ? null : space;
}
