import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineSatisfies } from "../../core/config/engine-version.js";
import { runtimeAdvice } from "../../core/replies/runtimes/runtimes.js";
import { agentEnvironment, type Variables } from "../../core/runtimes/agent-environment.js";
import { claudeVersion } from "../../core/runtimes/claude/claude-cost.js";
import { UserError } from "../../lib/user-error.js";
import { askVersion } from "./find-binary.js";

export interface VersionQuestion {
  readonly runtime: string;
  /** Program and first arguments. */
  readonly program: readonly [string, ...string[]];
  readonly parent: Variables;
  readonly additions: Readonly<Record<string, string>>;
  readonly oldest: string;
  readonly timeoutSeconds: number;
}

/**
 * What a program says for `--version`, asked with an agent's environment: a start script that needs the
 * operator's home shows itself here. Throws a `UserError` when it says none, or one too old.
 */
export async function probeVersion(question: VersionQuestion): Promise<string> {
  const { runtime, program, parent, additions, oldest, timeoutSeconds } = question;
  const home = await mkdtemp(join(tmpdir(), "koryph-probe-"));
  try {
    const env = { ...agentEnvironment({ parent, home, agentFolder: home, additions }), TMPDIR: home };
    const answer = await askVersion(program, { env, timeoutSeconds });
    const problem = answer.kind === "failed" ? answer.problem : `it printed ${JSON.stringify(answer.text)}`;
    const version = answer.kind === "said" ? claudeVersion(answer.text) : null;
    if (version === null) throw UserError.of(runtimeAdvice.noVersion(runtime, program[0], problem));
    if (!engineSatisfies(version, oldest)) throw UserError.of(runtimeAdvice.tooOld(runtime, version, oldest));
    return version;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
