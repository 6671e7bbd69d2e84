import { redactText } from "../redact.js";
import { agentEnvironment, type Variables } from "../runtimes/agent-environment.js";

export interface GateEnvironmentFacts {
  /** The engine's own environment. */
  readonly parent: Variables;
  /** The private HOME of this try. */
  readonly home: string;
  /** Carried by every process of the check. */
  readonly marker: string;
}

/** Where compilers are, and which of several: start scripts of version managers need them once HOME is another. */
const TOOLCHAINS: readonly string[] = [
  "JAVA_HOME",
  "GOROOT",
  "GOTOOLCHAIN",
  "RUSTUP_HOME",
  "RUSTUP_TOOLCHAIN",
  "DOTNET_ROOT",
  "ANDROID_HOME",
  "ANDROID_SDK_ROOT",
  "PYENV_ROOT",
  "PYENV_VERSION",
  "RBENV_ROOT",
  "RBENV_VERSION",
  "VOLTA_HOME",
];

/** Where packages come from. */
const REGISTRIES: readonly string[] = [
  "npm_config_registry",
  "GOPROXY",
  "GOSUMDB",
  "GOPRIVATE",
  "PIP_INDEX_URL",
  "UV_INDEX_URL",
  "UV_DEFAULT_INDEX",
];

/** A cache that several checks write is a door from one bead's code into the next one's check. */
const CACHES: readonly string[] = [
  "npm_config_cache",
  "YARN_CACHE_FOLDER",
  "CARGO_HOME",
  "GOPATH",
  "GOCACHE",
  "GOMODCACHE",
  "PIP_CACHE_DIR",
  "UV_CACHE_DIR",
  "GRADLE_USER_HOME",
];

/** The whole environment of a gate's command. It runs what an agent wrote, so it gets no more than an agent does. */
export function gateEnvironment({ parent, home, marker }: GateEnvironmentFacts): Record<string, string> {
  const passOn = [
    ...[...TOOLCHAINS, ...REGISTRIES].filter((name) => isOpen(parent[name])),
    ...CACHES.filter((name) => isBelow(parent[name], home)),
  ];
  const { KORYPH_AGENT_DIR: _, ...env } = agentEnvironment({ parent, passOn, home, agentFolder: home });
  return { ...env, CI: "true", KORYPH_SLOT: marker };
}

/** Holds nothing that looks like a password or a token. */
function isOpen(value: string | undefined): boolean {
  return value !== undefined && !value.includes("@") && redactText(value) === value;
}

function isBelow(path: string | undefined, folder: string): boolean {
  return path?.startsWith(`${folder}/`) === true && !path.split("/").includes("..");
}
