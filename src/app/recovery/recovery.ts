import type { GithubApp } from "../../adapters/github/app-client.js";
import { AppDirectory } from "../../adapters/github/app-directory.js";
import { HookDeliveries } from "../../adapters/github/hook-deliveries.js";
import { readOpenPulls } from "../../adapters/github/open-pulls.js";
import { chooseSwept, sweepBegins } from "../../core/recovery/choose-swept.js";
import { askedAgain, foundComments, recoveryFailed } from "../../core/replies/app/github.js";
import { logWords } from "../../core/replies/app/serve.js";
import type { Inbox, Lane } from "../../ports/inbox.js";
import type { ServerLog } from "../http/server-log.js";
import { type DeliveryMemory, redeliver } from "./redeliver.js";
import { type Repeating, repeat } from "./repeat.js";
import { type SweepParts, type SweepPlace, sweepComments } from "./sweep-comments.js";

export interface RecoveryParts {
  readonly app: GithubApp;
  readonly inbox: Pick<Inbox, "add"> & { has(id: string): Promise<boolean> };
  readonly memory: DeliveryMemory & SweepParts["memory"];
  readonly onAdded: (lane: Lane) => void;
  readonly now: () => number;
  readonly log: Pick<ServerLog, "info" | "warn">;
  /** Brings one repository to what GitHub and its ledger say now. */
  readonly sweep: (place: SweepPlace) => Promise<void>;
  /** Removes clones that do not fit on the disk; their names. */
  readonly evict?: () => Promise<readonly string[]>;
  readonly everyMs?: number;
}

const EVERY_MS = 5 * 60_000;

/** Makes up for what webhooks left out, now and every five minutes. Nothing that goes wrong here ends anything. */
export function startRecovery(parts: RecoveryParts): Repeating {
  const { app, inbox, memory, now, log, onAdded } = parts;
  const trouble = (what: string, error: unknown) => log.warn({ err: error }, recoveryFailed(what));
  const deliveries = new HookDeliveries(app);

  async function round(signal: AbortSignal): Promise<void> {
    const asked = await redeliver({ deliveries, inbox, memory, now }, signal).catch((error) => {
      if (!signal.aborted) trouble("deliveries", error);
      return 0;
    });
    if (asked > 0) log.info(askedAgain(asked));
    if (signal.aborted) return;
    const places: SweepPlace[] = [];
    const found = await sweepComments(
      {
        places: async function* () {
          for await (const place of installedPlaces(app, trouble)) {
            places.push(place);
            yield place;
          }
        },
        owed: async (place, facts) => chooseSwept(await readOpenPulls(app, place, sweepBegins(facts)), facts),
        ...{ inbox, memory, onAdded, now, onTrouble: trouble },
      },
      signal,
    ).catch((error) => {
      if (!signal.aborted) trouble("pull requests", error);
      return 0;
    });
    if (found > 0) log.info(foundComments(found));
    for (const place of places) {
      if (signal.aborted) return;
      await parts.sweep(place).catch((error: unknown) => trouble(place.repository, error));
    }
    const evicted = await parts.evict?.().catch((error: unknown) => trouble("clones", error));
    if (evicted && evicted.length > 0) log.info({ repositories: evicted }, logWords.evicted());
  }
  return repeat(round, { everyMs: parts.everyMs ?? EVERY_MS, now });
}

async function* installedPlaces(
  app: GithubApp,
  trouble: (what: string, error: unknown) => void,
): AsyncGenerator<SweepPlace, void, undefined> {
  const directory = new AppDirectory(app);
  for (const installation of await directory.installations()) {
    try {
      for (const repository of await directory.repositoriesOf(installation))
        yield { installation, repository };
    } catch (error) {
      trouble(`installation ${installation}`, error);
    }
  }
}
