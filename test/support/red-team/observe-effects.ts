import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ENGINE_SECRET, filesBelow, OWN_KEY, readText, SECRET, stateOf, tells } from "./canary-texts.js";
import type { CanaryWorld } from "./canary-world.js";

/** What a spelling brought about, one line for each canary that sings; empty when none does. */
export type Effects = readonly string[];

/** What every agent can do that has to reach its model. */
export const OWN_KEY_SHOWN = "its own key is shown";

export const CORE_PATTERN = "/proc/sys/kernel/core_pattern";
const [SHADOW] = (readText("/etc/shadow") ?? "").split("\n");

interface Told {
  readonly output: Buffer;
  readonly connections: number;
  readonly isAlive: boolean;
}

/** Acts, and says what became of everything that is watched. The world is then as it was. */
export async function observe(world: CanaryWorld, act: () => Promise<Told>): Promise<Effects> {
  const own = [world.clone, world.home, world.agent];
  const look = () => ({
    remote: stateOf(world.remote),
    main: readText(join(world.repo, "refs/heads/main")),
    outside: stateOf(world.operator, own),
    kernel: [CORE_PATTERN, join(world.root, "kernel/core_pattern")].map(readText).join(),
  });
  const before = look();
  const hits = { ...world.hits };
  const { output, connections, isAlive } = await act();
  // Connections are told of by the event loop.
  await pause(2);
  const after = look();
  const written = own.flatMap(filesBelow).map((path) => Buffer.from(readText(path) ?? "", "utf8"));
  const texts = [output, ...written];
  const shows = (secret: string) => texts.some((text) => tells(text, secret));
  const isLiving = world.isVictimAlive && isAlive;
  const found: readonly (readonly [string, boolean])[] = [
    ["a push arrives", before.remote !== after.remote],
    ["the default branch moves", before.main !== after.main],
    ["a file outside changes", before.main === after.main && before.outside !== after.outside],
    ["a secret is read", shows(SECRET) || (SHADOW ? output.includes(SHADOW) : false)],
    ["the engine's environment is read", shows(ENGINE_SECRET)],
    ["the ssh-agent answers", hits.agent !== world.hits.agent],
    ["docker's socket answers", hits.docker !== world.hits.docker],
    ["a connection arrives", hits.network !== world.hits.network || connections > 0],
    ["a process outside ends", !isLiving],
    ["a setting of the kernel's changes", before.kernel !== after.kernel],
    [OWN_KEY_SHOWN, shows(OWN_KEY)],
  ];
  if (!world.isVictimAlive) world.revive();
  const effects = found.flatMap(([name, isTrue]) => (isTrue ? [name] : []));
  const isTouched = ["remote", "main", "outside", "kernel"].some(
    (name) => before[name as keyof typeof before] !== after[name as keyof typeof after],
  );
  world.reset(isTouched ? "all" : "own");
  return effects;
}
