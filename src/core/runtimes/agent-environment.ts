/** An environment as Node shows it. */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface EnvironmentFacts {
  /** The engine's own environment, of which next to nothing is passed on. */
  readonly parent: Variables;
  /** Further names the runtime needs from it, such as the key of its model. */
  readonly passOn?: readonly string[];
  /** The agent's private HOME. */
  readonly home: string;
  readonly agentFolder: string;
  /** What the runtime sets for itself. It cannot replace what keeps the agent in. */
  readonly additions?: Readonly<Record<string, string>>;
}

/**
 * What any program may need to know about the machine. A name that is not here stays outside: tokens, sockets
 * of key agents, and whatever the operator's shell holds besides. Locale names are spelled out because ssh
 * servers accept `LC_*` and people send secrets that way.
 */
const PASSED_ON: readonly string[] = [
  "LANG",
  "LANGUAGE",
  "TZ",
  "TERM",
  ...["ALL", "COLLATE", "CTYPE", "MESSAGES", "MONETARY", "NUMERIC", "TIME"].map((kind) => `LC_${kind}`),
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "PIP_CERT",
  "CARGO_HTTP_CAINFO",
  "NIX_SSL_CERT_FILE",
  // The runner of GitHub Actions ends every process that carries it when the job ends.
  "RUNNER_TRACKING_ID",
];

/** Passed on only where they carry no password: `http://user:secret@proxy` stays outside. */
const PROXIES: readonly string[] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Where a push goes: git knows no such transport, so it fails at once and says the address. */
const NOWHERE = "no-push://blocked";

/**
 * These win over the repository's own settings. The operator's credential helpers are cleared, nothing is
 * signed (the engine does that), and pushes to `origin` or to any host lead nowhere. Folders can be pushed to: test
 * suites do so between repositories of their own, and whoever can write there needs no git for it.
 */
const GIT_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ["remote.origin.pushurl", NOWHERE],
  ...["https://", "http://", "ssh://", "git://", "git@"].map(
    (start) => [`url.${NOWHERE}/.pushInsteadOf`, start] as const,
  ),
  // An address of this kind is a command.
  ["protocol.ext.allow", "never"],
  ["credential.helper", ""],
  ["user.name", "koryph agent"],
  ["user.email", "agent@koryph.invalid"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
];

/** The agent's whole environment, but for `slotMarkers`. Nothing else may be inherited. */
export function agentEnvironment(facts: EnvironmentFacts): Record<string, string> {
  const { parent, home } = facts;
  return {
    ...inheritedVariables(parent, facts.passOn ?? []),
    ...facts.additions,
    PATH: absolutePath(parent.PATH),
    HOME: home,
    TMPDIR: `${home}/tmp`,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    ...gitVariables(home),
    KORYPH_AGENT_DIR: facts.agentFolder,
  };
}

/** The part of the engine's environment that an agent inherits, with the names in `passOn` that are set. */
export function inheritedVariables(parent: Variables, passOn: readonly string[]): Record<string, string> {
  const names = [...PASSED_ON, ...passOn, ...PROXIES.filter((name) => isPlain(parent[name]))];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = parent[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** What marks every process of a slot, and tells the agent which bead it works on. */
export function slotMarkers(slot: string, bead: string): Record<string, string> {
  return { KORYPH_SLOT: slot, KORYPH_BEAD: bead };
}

/** Folders that must exist before an agent starts, parents first. */
export function homeFolders(home: string): readonly string[] {
  return [
    home,
    ...["tmp", ".config", ".cache", ".local/share", ".local/state"].map((name) => `${home}/${name}`),
  ];
}

function gitVariables(home: string): Record<string, string> {
  const entries = GIT_SETTINGS.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    // Not /dev/null: `git config --global` run by root renames a new file over it, device or not.
    GIT_CONFIG_GLOBAL: `${home}/.gitconfig`,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    // ssh looks for keys in the home that the password file names, whatever HOME says.
    GIT_SSH_COMMAND: "false",
    GIT_CONFIG_COUNT: String(GIT_SETTINGS.length),
    ...Object.fromEntries(entries),
  };
}

/** Entries like `.` would find programs in the clone before those of the machine. */
function absolutePath(path: string | undefined): string {
  const entries = (path ?? "").split(":").filter((entry) => entry.startsWith("/"));
  return entries.length === 0 ? DEFAULT_PATH : entries.join(":");
}

function isPlain(value: string | undefined): boolean {
  return value !== undefined && !value.includes("@");
}
