import { agentEnvironment, inheritedVariables, type Variables } from "./agent-environment.js";
import type { LaunchSpec } from "./launch-spec.js";
import type { RuntimeDescriptor } from "./runtime-descriptor.js";

/** How an agent is started. */
export interface AgentCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path → text, to be written whole before the start. All are in the agent's private home. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The credentials that an agent on this model gets, where they are set. */
export function credentialsFor({ credentials }: RuntimeDescriptor, model: string): readonly string[] {
  return credentials.forModel?.(model) ?? credentials.anyOf;
}

/** The command of a built-in runtime. */
export function agentCommand(
  runtime: RuntimeDescriptor,
  spec: LaunchSpec,
  { program, parent }: { readonly program: readonly string[]; readonly parent: Variables },
): AgentCommand {
  const { home, agentFolder } = spec;
  const passOn = [...credentialsFor(runtime, spec.model), ...runtime.passedOn];
  const inherited = inheritedVariables(parent, passOn);
  const { argv, variables, files } = runtime.launch(spec, { program, inherited });
  const additions = { ...runtime.variables(home), ...variables };
  const env = agentEnvironment({ parent, passOn, home, agentFolder, additions });
  return files === undefined ? { argv, env } : { argv, env, files };
}
