import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineSatisfies } from "../../core/config/engine-version.js";
import { runtimeAdvice } from "../../core/replies/runtimes/runtimes.js";
import { agentEnvironment, type Variables } from "../../core/runtimes/agent-environment.js";
import type { RuntimeDescriptor } from "../../core/runtimes/runtime-descriptor.js";
import { versionIn } from "../../core/runtimes/version-in.js";
import { UserError } from "../../lib/user-error.js";
import { askVersion } from "./find-binary.js";

/**
 * What a program says for `--version`, asked with an agent's environment: a start script that needs the
 * operator's home shows itself here. Throws a `UserError` when it says none, or one too old.
 */
export async function probeVersion(
  runtime: RuntimeDescriptor,
  program: readonly [string, ...string[]],
  parent: Variables,
): Promise<string> {
  const { oldest, answerSeconds } = runtime.version;
  const home = await mkdtemp(join(tmpdir(), "koryph-probe-"));
  try {
    const additions = runtime.variables(home);
    const env = { ...agentEnvironment({ parent, home, agentFolder: home, additions }), TMPDIR: home };
    const answer = await askVersion(program, { env, timeoutSeconds: answerSeconds });
    const problem = answer.kind === "failed" ? answer.problem : `it printed ${JSON.stringify(answer.text)}`;
    const version = answer.kind === "said" ? versionIn(answer.text) : null;
    if (version === null) throw UserError.of(runtimeAdvice.noVersion(runtime.name, program[0], problem));
    if (!engineSatisfies(version, oldest)) throw UserError.of(runtimeAdvice.tooOld(runtime, version));
    return version;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
