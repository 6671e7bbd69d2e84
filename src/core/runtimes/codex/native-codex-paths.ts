const SCRIPT = "/@openai/codex/bin/codex.js";

const MACHINES: Readonly<Record<string, { readonly package: string; readonly target: string }>> = {
  "linux-x64": { package: "codex-linux-x64", target: "x86_64-unknown-linux-musl" },
  "linux-arm64": { package: "codex-linux-arm64", target: "aarch64-unknown-linux-musl" },
};

/**
 * Where the program is that npm's `codex` starts. That one is a script for Node which passes on no SIGKILL:
 * killed, it leaves the real Codex working.
 */
export function nativeCodexPaths(script: string, machine: string): readonly string[] {
  const native = Object.hasOwn(MACHINES, machine) ? MACHINES[machine] : undefined;
  if (native === undefined || !script.endsWith(SCRIPT)) return [];
  const scope = `${script.slice(0, -SCRIPT.length)}/@openai`;
  return [
    `${scope}/codex/node_modules/@openai/${native.package}`,
    `${scope}/${native.package}`,
    `${scope}/codex`,
  ].map((folder) => `${folder}/vendor/${native.target}/bin/codex`);
}
