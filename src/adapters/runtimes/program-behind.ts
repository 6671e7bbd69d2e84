import { realpath } from "node:fs/promises";
import { arch, platform } from "node:process";
import type { RuntimeDescriptor } from "../../core/runtimes/runtime-descriptor.js";
import { findBinary } from "./find-binary.js";

/** The program that a start script leads to. What is no such script, or has no program beside it, stays as it is. */
export async function programBehind(runtime: RuntimeDescriptor, found: string): Promise<string> {
  if (!runtime.programsBehind) return found;
  for (const path of runtime.programsBehind(await realpath(found), `${platform}-${arch}`)) {
    const program = await findBinary(path, { root: "/", path: "" });
    if (program !== null) return program;
  }
  return found;
}
