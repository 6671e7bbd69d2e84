import type { LaunchSpec } from "../launch-spec.js";

/** Either is enough. Codex itself reads the first one only. */
export const CODEX_CREDENTIALS = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

/** Said as settings, not with `--disable`, which refuses a name that a version does not know. */
const SWITCHED_OFF: readonly string[] = [
  "plugins",
  "apps",
  // Hooks come from files, and the files are the repository's.
  "hooks",
  // Without this a refused connection is retried for ever, and the agent never ends.
  "unbounded_connection_retries",
];

/**
 * Arguments after the program; the prompt comes on standard input. Everything is said with `-c`, since
 * `resume` and `fork` know neither `--sandbox` nor `--add-dir`.
 */
export function codexArguments(spec: LaunchSpec, timeZone?: string): string[] {
  const { cwd, model, effort, session, outputSchema } = spec;
  const settings: Record<string, TomlValue> = {
    approval_policy: "never",
    ...(effort === undefined ? {} : { model_reasoning_effort: effort }),
    ...sandbox(spec),
    // `exec` trusts the folder it works in, and then starts the servers that .codex/config.toml names.
    projects: { [cwd]: { trust_level: "untrusted" } },
    // AGENTS.md and skills are the branch's own word; koryph passes on those of the default branch.
    project_doc_max_bytes: 0,
    "skills.include_instructions": false,
    "analytics.enabled": false,
    ...Object.fromEntries(SWITCHED_OFF.map((feature) => [`features.${feature}`, false])),
    // The key is for Codex, not for the commands it runs. They keep the engine's time zone, too.
    "shell_environment_policy.exclude": [...CODEX_CREDENTIALS, "TZ"],
    ...(timeZone ? { "shell_environment_policy.set": { TZ: timeZone } } : {}),
  };
  return [
    "exec",
    ...(session.mode === "new" ? [] : [session.mode]),
    "--json",
    "--model",
    model,
    // The first keeps out $CODEX_HOME/config.toml, which an earlier attempt could have written.
    "--ignore-user-config",
    "--ignore-rules",
    // A reviewer's checkout need not be a repository.
    "--skip-git-repo-check",
    ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${toml(value)}`]),
    ...(outputSchema ? ["--output-schema", codexSchemaFile(spec.home)] : []),
    ...threadArguments(session),
    "-",
  ];
}

/** A new thread has no id yet: it is learned from the first line. */
function threadArguments({ mode, id, parent }: LaunchSpec["session"]): string[] {
  switch (mode) {
    case "new":
      return [];
    case "resume":
      return [id];
    case "fork":
      return [parent ?? id];
  }
}

/** Where the shape of the answer is written before the start. */
export function codexSchemaFile(home: string): string {
  return `${home}/codex-output-schema.json`;
}

/**
 * A worker's clone is writable but for .git, so .git is named too: a `--shared` clone borrows objects and
 * writes its own there. Without the network a command cannot even listen on loopback, which tests do.
 */
function sandbox({ role, cwd, agentFolder, home }: LaunchSpec): Record<string, TomlValue> {
  switch (role) {
    case "worker":
      return {
        sandbox_mode: "workspace-write",
        "sandbox_workspace_write.writable_roots": [`${cwd}/.git`, agentFolder, home],
        "sandbox_workspace_write.network_access": true,
      };
    case "reviewer":
      return { sandbox_mode: "read-only" };
  }
}

type TomlValue = string | number | boolean | readonly string[] | { readonly [key: string]: TomlValue };

/** Strings of JSON are strings of TOML; tables are written in one line. */
function toml(value: TomlValue): string {
  if (typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}=${toml(member)}`);
  return `{${members.join(",")}}`;
}
