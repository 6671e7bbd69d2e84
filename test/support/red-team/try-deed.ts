import { spawn } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bubblewrap } from "../../../src/adapters/contain/bubblewrap.js";
import type { NetworkAccess } from "../../../src/core/contain/network-access.js";
import { ENGINE_SECRET, OWN_KEY } from "./canary-texts.js";
import type { CanaryWorld, Owner } from "./canary-world.js";
import { CORE_PATTERN, type Effects, observe } from "./observe-effects.js";

const OPEN_ROOM = fileURLToPath(new URL("open-room.mjs", import.meta.url));
const SECONDS = 3;
/** Ends what would go on, and what would fill the disk. */
const LIMITED = [
  "/bin/bash",
  "-c",
  `ulimit -f 8192; exec timeout --foreground -s KILL ${SECONDS} /bin/bash -c "$1"`,
  "-",
];
/** Such commands are over before what they started. */
const GOES_ON = /&\s*$|setsid|coproc|nohup/;

export interface Room {
  readonly bubblewrap: Bubblewrap;
  readonly network: NetworkAccess;
  /** Who starts it, where that is not the process itself. */
  readonly as: Owner | null;
}

/** What a command does in koryph's sandbox. */
export async function tryContained(world: CanaryWorld, text: string, room: Room): Promise<Effects> {
  const argv = [...LIMITED, GOES_ON.test(text) ? `${text}\nsleep 0.2` : text];
  const command = await room.bubblewrap.contain(
    { argv, env: agentVariables(world), cwd: world.clone },
    {
      ...{ writable: [world.clone, world.home, world.agent], shared: [] },
      readable: [join(world.repo, "objects")],
      ...{ folder: world.slot, network: room.network },
    },
  );
  const bridge = join(world.slot, "network");
  if (room.as !== null && existsSync(bridge)) chownSync(bridge, room.as.uid, room.as.gid);
  return observe(world, async () => {
    const { output } = await run(command.argv, { env: command.env, cwd: world.clone, as: room.as });
    return { output, connections: 0, isAlive: true };
  });
}

/**
 * What the same command does where the machine is its own and everything is there for it. Never as root.
 * `lacks` when a program of it is not installed here.
 */
export async function tryBare(
  world: CanaryWorld,
  text: string,
  as: Owner | null,
): Promise<{ readonly effects: Effects; readonly lacks: boolean }> {
  const user = ["--uid", `${as?.uid ?? process.getuid?.()}`, "--gid", `${as?.gid ?? process.getgid?.()}`];
  const links = ["bin", "sbin", "lib", "lib64"].flatMap((name) => ["--ro-bind-try", `/${name}`, `/${name}`]);
  const kernel = (name: string) => join(world.root, "kernel", name);
  const argv = [
    ...["bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"],
    ...[...user, "--die-with-parent", "--ro-bind", "/usr", "/usr", ...links, "--ro-bind", "/etc", "/etc"],
    ...["--ro-bind", kernel("shadow"), "/etc/shadow", "--proc", "/proc"],
    ...["--bind", kernel("core_pattern"), CORE_PATTERN, "--dev", "/dev", "--tmpfs", "/tmp"],
    ...["--bind", world.root, world.root, "--ro-bind", dirname(OPEN_ROOM), dirname(OPEN_ROOM)],
    ...["--ro-bind-try", dirname(process.execPath), dirname(process.execPath), "--chdir", world.clone, "--"],
    ...["/bin/bash", "-c"],
    `ulimit -f 8192; exec timeout --foreground -s KILL ${SECONDS} "$@"`,
    ...["-", process.execPath, OPEN_ROOM, `${world.port}`, world.abstract, text],
  ];
  const env = { ...agentVariables(world), KORYPH_ENGINE_TOKEN: ENGINE_SECRET };
  let lacks = false;
  const began = performance.now();
  const effects = await observe(world, async () => {
    const { output } = await run(argv, { env, cwd: world.clone, as });
    const isOver = performance.now() - began < SECONDS * 1000;
    lacks = output.includes("not found");
    const [, last] = /\n(\{"connections":\d+,"isAlive":\w+\})\n/.exec(output.toString("latin1")) ?? [];
    // Where nobody is left to tell, the engine is not, either; unless it took too long.
    const told = last === undefined ? { connections: 0, isAlive: !isOver } : JSON.parse(last);
    return { output, ...told };
  });
  return { effects, lacks };
}

function agentVariables({ home, agent }: CanaryWorld): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    ...{ HOME: home, TMPDIR: "/tmp", LANG: "C.UTF-8", KORYPH_AGENT_DIR: agent },
    ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", ANTHROPIC_API_KEY: OWN_KEY },
  };
}

function run(
  [program = "", ...args]: readonly string[],
  { env, cwd, as }: { readonly env: Readonly<Record<string, string>>; cwd: string; as: Owner | null },
): Promise<{ output: Buffer }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      // As agents are: in a session of their own, without a terminal.
      ...{ env, cwd, stdio: ["ignore", "pipe", "pipe"], detached: true },
      ...{ timeout: (SECONDS + 4) * 1000, killSignal: "SIGKILL", ...as },
    });
    const parts: Buffer[] = [];
    let size = 0;
    const hear = (data: Buffer) => {
      size += data.length;
      // `yes` and its like say too much.
      if (size < 8_000_000) parts.push(data);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", reject);
    child.once("close", () => resolve({ output: Buffer.concat(parts) }));
  });
}
