/** Where log-ins, keys and tokens lie, below anybody's home. */
const IN_HOME: readonly string[] = [
  ".ssh/**",
  ".gnupg/**",
  ".aws/**",
  ".azure/**",
  ".kube/**",
  ".docker/config.json",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".git-credentials",
  ".git-credential-cache/**",
  ".config/git/credentials",
  ".config/gh/**",
  ".config/hub",
  ".config/gcloud/**",
  ".config/op/**",
  ".config/containers/auth.json",
  ".config/opencode/**",
  ".local/share/opencode/**",
  ".local/share/keyrings/**",
  ".password-store/**",
  ".claude/**",
  ".claude.json",
  ".codex/**",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".terraform.d/credentials.tfrc.json",
  ".vault-token",
  ".bash_history",
];

const HOMES: readonly string[] = ["/root", "/home/*", "/Users/*"];

/** What tells of another process, or of this one with the keys it was given. */
const OF_THE_MACHINE: readonly string[] = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/etc/sudoers.d/**",
  "/etc/ssh/ssh_host*",
  "/etc/krb5.keytab",
  "/proc/*/environ",
  "/proc/*/mem",
  "/proc/*/root/**",
  "/proc/*/cwd/**",
  "/proc/*/task/*/environ",
  "/proc/*/task/*/mem",
  "/dev/mem",
  "/dev/kmem",
  "/dev/sd*",
  "/dev/vd*",
  "/dev/nvme*",
  "/run/secrets/**",
  "/var/run/secrets/**",
  "/var/lib/docker/**",
];

/** Through these somebody else's key or machine does what it is asked. */
const SOCKETS: readonly string[] = [
  "/tmp/ssh-*/**",
  "/run/user/*/**",
  "/run/docker.sock",
  "/var/run/docker.sock",
  "/run/podman/**",
  "/run/dbus/**",
  "/run/containerd/**",
];

/** What decides how git and shells behave here, below the clone. */
const SETTINGS_IN_CLONE: readonly string[] = [
  ".git",
  ".git/hooks/**",
  ".git/config",
  ".git/config.worktree",
  ".git/config.lock",
  ".git/info/attributes",
  ".git/info/grafts",
  ".git/objects/info/**",
  ".git/modules/**",
  ".git/worktrees/**",
  ".git/commondir",
  ".git/HEAD",
  ".git/packed-refs",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".claude/hooks/**",
];

/** The same below the agent's home, which the next attempt finds as this one leaves it. */
const SETTINGS_IN_HOME: readonly string[] = [
  ".gitconfig",
  ".config/git/**",
  ".bashrc",
  ".bash_profile",
  ".bash_aliases",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".inputrc",
  ".config/bash/**",
];

/** Claude writes long answers of tools here, for the agent to read. */
const READABLE_IN_HOME = ".claude/projects/*/*/tool-results/**";

const split = (rule: string): string[] => rule.split("/").filter((step) => step !== "");
const below = (folders: readonly string[], rules: readonly string[]): string[][] =>
  folders.flatMap((folder) => rules.map((rule) => [...split(folder), ...split(rule)]));

export interface GuardedPaths {
  readonly secrets: readonly (readonly string[])[];
  /** The ends of those in homes, for paths of which only the end is known. */
  readonly secretEnds: readonly (readonly string[])[];
  readonly sockets: readonly (readonly string[])[];
  readonly settings: readonly (readonly string[])[];
  readonly readable: readonly (readonly string[])[];
}

interface Places {
  readonly home: string;
  readonly worktree: string;
  readonly secret: readonly string[];
  readonly defaultBranch: string;
}

export function guardedPaths({ home, worktree, secret, defaultBranch }: Places): GuardedPaths {
  return {
    secrets: [...below([home, ...HOMES], IN_HOME), ...OF_THE_MACHINE.map(split), ...below(secret, ["**"])],
    secretEnds: IN_HOME.map(split),
    sockets: SOCKETS.map(split),
    settings: [
      ...below([worktree], [...SETTINGS_IN_CLONE, `.git/refs/heads/${defaultBranch}`]),
      ...below([home], SETTINGS_IN_HOME),
    ],
    readable: below([home], [READABLE_IN_HOME]),
  };
}
