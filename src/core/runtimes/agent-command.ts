import { hostOfAddress } from "../contain/network-access.js";
import type { AccountPin } from "../govern/account-pin.js";
import { agentEnvironment, inheritedVariables, type Variables } from "./agent-environment.js";
import type { LaunchSpec } from "./launch-spec.js";
import type { RuntimeDescriptor } from "./runtime-descriptor.js";

/** How an agent is started. */
export interface AgentCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path → text, to be written whole before the start: in the agent's private home, or the attempt's own folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where its model answers; nowhere that is known where this is absent. */
  readonly hosts?: readonly string[];
  /** Programs and folders of the operator's that it reads. */
  readonly readable?: readonly string[];
  /** Folders of the operator's that it writes, such as those of an account that somebody is signed in to. */
  readonly shared?: readonly string[];
}

/** The credentials that an agent on this model gets, where they are set. Of those of a pin there is one at most. */
export function credentialsFor(
  { credentials }: RuntimeDescriptor,
  model: string,
  pin: AccountPin | null = null,
): readonly string[] {
  const all = credentials.forModel?.(model) ?? credentials.anyOf;
  return pin === null ? all : all.filter((name) => name === pin.variable);
}

interface CommandFacts {
  /** Program and first arguments. */
  readonly program: readonly string[];
  readonly parent: Variables;
  /** Whose account it is to work on; whatever there is where nothing is pinned. */
  readonly pin?: AccountPin | null;
  /** Program and first arguments of the guard. */
  readonly guard?: readonly string[] | undefined;
}

/** The command of a built-in runtime. */
export function agentCommand(
  runtime: RuntimeDescriptor,
  spec: LaunchSpec,
  { program, parent, pin = null, guard }: CommandFacts,
): AgentCommand {
  const { home, agentFolder } = spec;
  const passOn = [...credentialsFor(runtime, spec.model, pin), ...runtime.passedOn];
  const inherited = inheritedVariables(parent, passOn);
  const { argv, variables, files } = runtime.launch(spec, {
    program,
    inherited,
    guard: guard && { argv: guard, secret: pin?.profile ? [pin.profile] : [] },
  });
  const additions = { ...runtime.variables(home), ...variables, ...profileVariable(runtime, pin) };
  const env = agentEnvironment({ parent, passOn, home, agentFolder, additions });
  const access = {
    hosts: hostsOf(runtime, spec.model, env),
    readable: [
      ...[...program, ...(guard ?? [])].filter((word) => word.startsWith("/")),
      ...Object.keys(files ?? {}),
    ],
    shared: Object.values(profileVariable(runtime, pin)),
  };
  return files === undefined ? { argv, env, ...access } : { argv, env, files, ...access };
}

function hostsOf(
  { network }: RuntimeDescriptor,
  model: string,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  const addresses = network.addresses.flatMap((name) => hostOfAddress(env[name] ?? "") ?? []);
  return [...network.hosts(model), ...addresses];
}

/** Instead of a folder in the agent's home, where nobody is signed in. */
function profileVariable({ account }: RuntimeDescriptor, pin: AccountPin | null): Record<string, string> {
  if (pin === null || pin.profile === null || account.profile === undefined) return {};
  return { [account.profile.variable]: pin.profile };
}
