import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { arch, platform } from "node:process";
import { findBinary } from "./find-binary.js";

const MACHINES: Readonly<Record<string, { readonly package: string; readonly target: string }>> = {
  "linux-x64": { package: "codex-linux-x64", target: "x86_64-unknown-linux-musl" },
  "linux-arm64": { package: "codex-linux-arm64", target: "aarch64-unknown-linux-musl" },
};

/**
 * The program that npm's `codex` starts. That one is a script for Node which passes on no SIGKILL: killed, it
 * leaves the real Codex working. What is no such script, or has no program beside it, is returned as it is.
 */
export async function nativeCodex(found: string): Promise<string> {
  const script = await realpath(found);
  const machine = MACHINES[`${platform}-${arch}`];
  if (!script.endsWith("/@openai/codex/bin/codex.js") || machine === undefined) return found;
  const home = dirname(dirname(script));
  const beside = join("vendor", machine.target, "bin", "codex");
  for (const folder of [
    join(home, "node_modules", "@openai", machine.package),
    join(home, "..", machine.package),
    home,
  ]) {
    const native = await findBinary(join(folder, beside), { root: "/", path: "" });
    if (native !== null) return native;
  }
  return found;
}
