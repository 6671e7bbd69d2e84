import { pino } from "pino";
import { githubApp } from "../../../src/adapters/github/app-client.js";
import { startRecovery } from "../../../src/app/recovery/recovery.js";
import { report } from "../measure.js";
import { AppBenchWorld, REPOSITORY, until } from "./app-world.js";

const PULLS = 100;
/** What every round begins with. */
const BEGINNING = "apps/list-webhook-deliveries";

/** What the App asks GitHub every five minutes to find what no webhook told of. */
export async function benchSweep(): Promise<void> {
  const world = await AppBenchWorld.open();
  try {
    const { sandbox, keys } = world;
    world.install();
    for (let index = 0; index < PULLS; index += 1) {
      const head = `agent/bead-${index}`;
      await sandbox.commit(REPOSITORY, head, { [`${index}.txt`]: `${index}\n` });
      await sandbox.openPull(REPOSITORY, { author: "team", head, title: head });
    }
    const begins = () =>
      sandbox.requests.flatMap(({ operation }, index) => (operation === BEGINNING ? [index] : []));
    const recovery = startRecovery({
      sweep: async () => {},
      app: githubApp({
        appId: keys.id,
        privateKey: keys.privateKey,
        secret: keys.webhookSecret,
        apiUrl: sandbox.url,
        serverUrl: sandbox.url,
        log: pino({ level: "error" }),
      }),
      ...{ inbox: { add: async () => "added", has: async () => false }, memory: forgetful() },
      onAdded: () => {},
      now: Date.now,
      log: pino({ level: "error" }),
      everyMs: 100,
    });
    await until(() => begins().length >= 3);
    await recovery.stop();
    const [first = 0, second = 0, third = 0] = begins();
    // Without the one that each round begins with, which is about deliveries.
    report(`GitHub requests to sweep ${PULLS} open pull requests, the first time`, second - first - 1, "—");
    report("the same five minutes later", third - second - 1, "≤ 4");
  } finally {
    await world.close();
  }
}

function forgetful() {
  return {
    asked: async () => 0,
    noteAsked: async () => {},
    lastSweep: async () => null,
    noteSweep: async () => {},
    handled: async () => false,
    bornAt: async () => 0,
  };
}
