import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EngineWorld } from "./engine-world.js";
import { median, report, timed } from "./measure.js";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const ROUNDS = 21;

const AGENT =
  'echo "$KORYPH_BEAD" >"$KORYPH_BEAD.txt" && git add --all && git commit --quiet -m "$KORYPH_BEAD"';

interface Start {
  readonly name: string;
  readonly args: readonly string[];
  readonly wanted: string;
}

const PAGES: readonly Start[] = [
  { name: "--help", args: ["--help"], wanted: "≤ 1.5" },
  { name: "version", args: ["version"], wanted: "≤ 1.5" },
];

/** What a person waits for before the first word, as a multiple of what Node itself takes. */
export async function benchStart(): Promise<void> {
  const world = new EngineWorld({ files: 10, beads: 6, slots: 6, agent: AGENT });
  try {
    const before = { name: "status, before the first run", args: ["status"], wanted: "≤ 2" };
    for (const start of [...PAGES, before]) await benchPair(world, start);
    await world.run().ended;
    await benchPair(world, { name: "status, six beads done", args: ["status"], wanted: "≤ 2" });
  } finally {
    world.remove();
  }
}

/** Both take turns, so that a noisy moment of the machine hits both, and have no variable that slows Node itself down. */
async function benchPair(world: EngineWorld, { name, args, wanted }: Start): Promise<void> {
  const empty = join(world.top, "empty.mjs");
  writeFileSync(empty, "");
  const [bare, ours]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    const nodes = await timed(() => world.node(empty));
    const koryphs = await timed(() => world.node(MAIN, ...args));
    // The round before the first brings the files into memory.
    if (round < 0) continue;
    bare.push(nodes);
    ours.push(koryphs);
  }
  report(`koryph ${name} / node on an empty module, ${ROUNDS} rounds`, median(ours) / median(bare), wanted);
}
