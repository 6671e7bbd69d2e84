import type { LaunchSpec } from "../launch-spec.js";

/** A whole configuration of the operator's, which can bring a provider and its key with it. */
const OPENCODE_CONFIG = "OPENCODE_CONFIG_CONTENT";

/** Provider → the variables its key is looked for in. An agent gets the key of its own model's provider alone. */
const PROVIDER_KEYS: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["ANTHROPIC_API_KEY"],
  deepseek: ["DEEPSEEK_API_KEY"],
  google: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
  groq: ["GROQ_API_KEY"],
  mistral: ["MISTRAL_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  opencode: ["OPENCODE_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  xai: ["XAI_API_KEY"],
};

export const OPENCODE_CREDENTIALS: readonly string[] = [
  ...Object.values(PROVIDER_KEYS).flat(),
  OPENCODE_CONFIG,
];

/** Provider → where its models answer. */
const PROVIDER_HOSTS: Readonly<Record<string, string>> = {
  anthropic: "api.anthropic.com",
  deepseek: "api.deepseek.com",
  google: "generativelanguage.googleapis.com",
  groq: "api.groq.com",
  mistral: "api.mistral.ai",
  openai: "api.openai.com",
  opencode: "opencode.ai",
  openrouter: "openrouter.ai",
  xai: "api.x.ai",
};

/** None for a provider that comes with a configuration alone: `containment.network` names its host. */
export function opencodeHosts(model: string): readonly string[] {
  const [provider = ""] = model.split("/");
  const host = Object.hasOwn(PROVIDER_HOSTS, provider) ? PROVIDER_HOSTS[provider] : undefined;
  return host === undefined ? [] : [host];
}

/** Where a key for the model may be. A provider that is not listed comes with a configuration alone. */
export function opencodeKeys(model: string): readonly string[] {
  const [provider = ""] = model.split("/");
  const keys = Object.hasOwn(PROVIDER_KEYS, provider) ? (PROVIDER_KEYS[provider] ?? []) : [];
  return [...keys, OPENCODE_CONFIG];
}

/**
 * opencode runs plugins from these, whatever it is told about configuration of projects. A branch could bring
 * them, and a reviewer would run what it is to judge. So a clone that has one is not worked in.
 */
const RUNS_CODE_FROM = [".opencode", "opencode.json", "opencode.jsonc"] as const;

/** The same in the agent's home, where an earlier attempt could have put them for those after it. */
const RUNS_CODE_FROM_HOME: readonly string[] = [
  ".opencode",
  ...["plugin", "plugins", "config.json", "opencode.json", "opencode.jsonc"].map(
    (name) => `.config/opencode/${name}`,
  ),
];

/** What the guard ends with; opencode itself does not. */
export const NOT_STARTED = 78;

const GUARD = `for name in ${RUNS_CODE_FROM.join(" ")} ${RUNS_CODE_FROM_HOME.map((name) => `"$HOME/${name}"`).join(" ")}; do
  if [ -e "$name" ] || [ -L "$name" ]; then
    echo "opencode would run code that $name names, so it was not started" >&2
    exit ${NOT_STARTED}
  fi
done
exec "$@"`;

/** The whole command line. The prompt comes on standard input: as an argument it would arrive in quotes. */
export function opencodeArguments(program: readonly string[], spec: LaunchSpec): string[] {
  const { model, session } = spec;
  return [
    ...["/bin/sh", "-c", GUARD, "opencode"],
    ...program,
    "run",
    "--format",
    "json",
    "--model",
    model,
    ...sessionArguments(session),
  ];
}

function sessionArguments({ mode, id, parent }: LaunchSpec["session"]): string[] {
  switch (mode) {
    case "new":
      return [];
    case "resume":
      return ["--session", id];
    case "fork":
      return ["--session", parent ?? id, "--fork"];
  }
}

/** Variables that keep an agent to itself and tell it what it may do. */
export function opencodeVariables(spec: LaunchSpec): Record<string, string> {
  const off = ["SHARE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "TERMINAL_TITLE"];
  // The repository's settings, its AGENTS.md, and the skills and rules it keeps for other agents.
  const unread = ["PROJECT_CONFIG", "CLAUDE_CODE", "EXTERNAL_SKILLS"];
  return {
    ...switchedOff([...off, ...unread]),
    OPENCODE_PURE: "1",
    OPENCODE_PERMISSION: JSON.stringify(permissions(spec)),
  };
}

/** Variables that switch features of opencode off. */
export function switchedOff(features: readonly string[]): Record<string, string> {
  return Object.fromEntries(features.map((name) => [`OPENCODE_DISABLE_${name}`, "1"]));
}

/**
 * The last rule that matches counts. What is denied is told to the model, which goes on; what would be asked
 * is rejected, and the run stops half-way with exit code 0. So nothing is left to be asked.
 */
function permissions({ role, agentFolder, home }: LaunchSpec): object {
  switch (role) {
    case "worker":
      return {
        "*": "allow",
        external_directory: {
          "*": "deny",
          ...Object.fromEntries(
            [agentFolder, home, "/tmp", "/usr", "/opt", "/etc", "/dev"].map((folder) => [
              `${folder}/**`,
              "allow",
            ]),
          ),
        },
        // Against mistakes; what really stops a push is git's own configuration.
        bash: { "*": "allow", "git push*": "deny" },
        ...Object.fromEntries(["webfetch", "websearch", "question"].map((tool) => [tool, "deny"])),
      };
    case "reviewer":
      return { "*": "deny", read: "allow", grep: "allow", glob: "allow", list: "allow" };
  }
}
