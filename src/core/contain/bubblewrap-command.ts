import type { NetworkAccess } from "./network-access.js";
import type { Mount } from "./sandbox-view.js";

export interface BubblewrapFacts {
  readonly bwrap: string;
  readonly env: string;
  /** Null where there is none: the plain shell closes few descriptors. */
  readonly bash: string | null;
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  readonly network: NetworkAccess["kind"];
  /**
   * Who the processes inside are. Where root starts them they become somebody who may nothing: as root they could write
   * settings of the kernel's, whatever the mounts are.
   */
  readonly user:
    | { readonly kind: "same"; readonly uid: number; readonly gid: number }
    | { readonly kind: "dropped"; readonly uid: number; readonly gid: number; readonly setpriv: string };
  /** What stands between network and program; nothing where the network is on or off. */
  readonly bridge?: NetworkBridge | undefined;
}

/** A proxy outside and what leads to it inside, where there is no network. */
export interface NetworkBridge {
  readonly node: string;
  /** Runs outside: answers at a socket in a folder, and starts the rest. */
  readonly outside: string;
  /** Runs inside: answers at `BRIDGE_PORT`, and passes on to the socket. */
  readonly inside: string;
  readonly folder: string;
  readonly hosts: readonly string[];
  /** The proxy by which the machine itself gets out; null where it needs none. */
  readonly upstream: string | null;
}

/** Where everybody inside finds what belongs to the bridge. */
const INSIDE = { folder: "/run/koryph", program: "/run/koryph-bridge.mjs" } as const;
/** In a network of its own, where nobody else can have it. */
const BRIDGE_PORT = 39_128;

/**
 * Signals to the whole group reach the program; bubblewrap waits for it, so that its exit code is the program's. What
 * koryph was started with open stays outside: from an open folder it is one step up to everything. Node keeps the first
 * sixteen descriptors from its children and lets others pass, and a plain shell can name no more than ten.
 */
function prologue(bash: string | null): string[] {
  const [shell, names] = bash === null ? [["/bin/sh"], "[3-9]"] : [[bash, "-p"], "*"];
  const close = `for fd in /proc/self/fd/${names}; do fd=\${fd##*/}; case $fd in [012]|*[!0-9]*) ;; *) eval "exec $fd>&-" ;; esac; done`;
  return [...shell, "-c", `trap "" HUP INT QUIT TERM; ${close}; unset fd; exec "$@"`, "contained"];
}

/** Without what a shell puts into an environment by itself. */
const HEARING = ["--default-signal=HUP,INT,QUIT,TERM", "--unset=_", "--unset=SHLVL"];

/** The command that runs `argv` and shows it nothing but the mounts. */
export function bubblewrapCommand(argv: readonly string[], facts: BubblewrapFacts): string[] {
  const { bridge } = facts;
  const inner = bridge === undefined ? [] : [bridge.node, INSIDE.program, INSIDE.folder, `${BRIDGE_PORT}`];
  const contained = [
    ...prologue(facts.bash),
    facts.bwrap,
    ...namespaces(facts),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...facts.mounts.flatMap(mountArguments),
    ...(bridge === undefined ? [] : bridgeMounts(bridge)),
    "--chdir",
    facts.cwd,
    "--",
    ...dropped(facts),
    facts.env,
    ...HEARING,
    "--",
    ...inner,
    ...argv,
  ];
  if (bridge === undefined) return contained;
  return [
    bridge.node,
    bridge.outside,
    bridge.folder,
    JSON.stringify({ hosts: bridge.hosts, upstream: bridge.upstream }),
    ...contained,
  ];
}

/** What makes programs use the bridge. */
export function bridgeVariables(): Record<string, string> {
  const address = `http://127.0.0.1:${BRIDGE_PORT}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
  const proxies = names.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, address]);
  // Everything goes through it: what runs inside has a loopback of its own, which these mean by it.
  const direct = ["NO_PROXY", "no_proxy"].map((name) => [name, ""]);
  return Object.fromEntries([...proxies, ...direct]);
}

function namespaces({ network, user }: BubblewrapFacts): string[] {
  const own = [
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--hostname",
    "koryph",
  ];
  const users =
    user.kind === "dropped"
      ? []
      : ["--unshare-user", "--disable-userns", "--uid", `${user.uid}`, "--gid", `${user.gid}`];
  const net = network === "on" ? [] : ["--unshare-net"];
  return [...own, ...users, ...net, "--die-with-parent"];
}

function dropped({ user }: BubblewrapFacts): string[] {
  if (user.kind === "same") return [];
  return [
    ...[user.setpriv, "--reuid", `${user.uid}`, "--regid", `${user.gid}`, "--clear-groups"],
    ...["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"],
  ];
}

function mountArguments(mount: Mount): string[] {
  switch (mount.kind) {
    case "link":
      return ["--symlink", mount.target, mount.path];
    case "scratch":
      return ["--perms", "1777", "--tmpfs", mount.path];
    case "hidden":
      return ["--perms", "0755", "--tmpfs", mount.path];
    case "folder":
      return ["--perms", "0755", "--dir", mount.path];
    case "read":
      return ["--ro-bind", mount.path, mount.path];
    case "write":
      return ["--bind", mount.path, mount.path];
  }
}

function bridgeMounts({ folder, inside }: NetworkBridge): string[] {
  return [
    ...["--perms", "0755", "--dir", "/run"],
    ...["--ro-bind", folder, INSIDE.folder],
    ...["--ro-bind", inside, INSIDE.program],
  ];
}
