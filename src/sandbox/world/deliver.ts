import { createHmac, randomUUID } from "node:crypto";
import { request } from "node:http";
import type { Faults } from "../http/faults.js";
import type { JsonObject } from "../http/json.js";
import type { App, Delivery, Installation } from "./app-state.js";
import type { Repository, SandboxState } from "./state.js";
import type { NewsItem } from "./world.js";

/** GitHub gives a receiver this long. */
const PATIENCE_MS = 10_000;
/** How long deliveries wait to be shuffled when fewer come than were asked for. */
const SHUFFLE_MS = 300;
/** GitHub forgets deliveries after three days. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1000;

/** Sent to every app, whatever it listens to. */
const ALWAYS = new Set(["installation", "installation_repositories", "github_app_authorization", "ping"]);

interface Parts {
  readonly state: SandboxState;
  readonly faults: Faults;
  readonly now: () => number;
  newId(): number;
  timestamp(): string;
  /** The whole payload, as this installation gets it. */
  payload(news: NewsItem, to: { app: App; installation: Installation }): JsonObject;
}

export interface Postman {
  post(news: NewsItem): void;
  redeliver(delivery: Delivery): void;
  settled(): Promise<void>;
  stop(): void;
}

type Letter = Omit<Delivery, "id" | "deliveredAt" | "statusCode" | "durationMs" | "response">;

/** Whom an event goes to: apps that are installed on the repository and listen. */
export function listeners(
  state: SandboxState,
  { event, repository, onlyApp, onlyInstallation }: Omit<NewsItem, "action" | "sender" | "payload">,
): { app: App; installation: Installation }[] {
  return state.apps
    .filter((app) => app.webhookUrl !== null && (ALWAYS.has(event) || app.events.includes(event)))
    .filter((app) => onlyApp === undefined || app.id === onlyApp)
    .flatMap((app) => {
      const installation = app.installations.find(
        (each) =>
          !each.suspended &&
          (repository === null || covers(each, repository)) &&
          (onlyInstallation === undefined || each.id === onlyInstallation),
      );
      return installation === undefined ? [] : [{ app, installation }];
    });
}

/** Whether an installation reaches a repository. */
export function covers(installation: Installation, { owner, name }: Repository): boolean {
  const wanted = `${owner}/${name}`.toLowerCase();
  return installation.repositories.some((each) => each.toLowerCase() === wanted);
}

/** Sends webhooks one after another, and writes down what became of each. */
export function startPostman(parts: Parts): Postman {
  let queue: Promise<void> = Promise.resolve();
  let held: Letter[] = [];
  let release: NodeJS.Timeout | null = null;

  const ended = new AbortController();
  const send = (letter: Letter, mishap: "failed" | null = null) => {
    queue = queue.then(() => attempt(parts, { letter, mishap, ended: ended.signal }));
  };
  const letGo = () => {
    if (release !== null) clearTimeout(release);
    release = null;
    for (const letter of held.reverse()) send(letter);
    held = [];
  };
  const hand = (letter: Letter, news: NewsItem) => {
    const mishap = parts.faults.meetWebhook(news);
    switch (mishap) {
      case "lost":
        return;
      case "failed":
        return send(letter, "failed");
      case "doubled":
        send(letter);
        return send(letter);
      case "shuffled": {
        held.push(letter);
        release ??= setTimeout(letGo, SHUFFLE_MS);
        if (!parts.faults.list().some((fault) => "webhooks" in fault && fault.webhooks === "shuffled"))
          letGo();
        return;
      }
      case null:
        return send(letter);
    }
  };

  return {
    post: (news) => {
      // One event has one GUID, whoever gets it.
      const guid = randomUUID();
      for (const to of listeners(parts.state, news))
        hand(
          {
            guid,
            app: to.app.id,
            event: news.event,
            action: news.action,
            installation: to.installation.id,
            repository: news.repository?.id ?? null,
            redelivery: false,
            payload: parts.payload(news, to),
          },
          news,
        );
    },
    redeliver: ({ guid, app, event, action, installation, repository, payload }) =>
      send({ guid, app, event, action, installation, repository, payload, redelivery: true }),
    stop: () => {
      if (release !== null) clearTimeout(release);
      ended.abort();
    },
    settled: async () => {
      letGo();
      for (let seen: Promise<void> | null = null; seen !== queue; ) {
        seen = queue;
        await seen;
      }
    },
  };
}

async function attempt(
  parts: Parts,
  { letter, mishap, ended }: { letter: Letter; mishap: "failed" | null; ended: AbortSignal },
): Promise<void> {
  const app = parts.state.apps.find(({ id }) => id === letter.app);
  if (app === undefined || app.webhookUrl === null || ended.aborted) return;
  const started = parts.now();
  const answer =
    mishap === "failed"
      ? { statusCode: 502, response: "Bad Gateway" }
      : await post(app.webhookUrl, { headers: deliveryHeaders(app, letter), payload: letter.payload, ended });
  const { deliveries } = parts.state;
  while (deliveries[0] !== undefined && Date.parse(deliveries[0].deliveredAt) < started - KEPT_MS)
    deliveries.shift();
  deliveries.push({
    ...letter,
    id: parts.newId(),
    deliveredAt: parts.timestamp(),
    durationMs: parts.now() - started,
    ...answer,
  });
}

/** The headers of GitHub's own deliveries. */
export function deliveryHeaders(
  app: App,
  { guid, event, payload }: Pick<Letter, "guid" | "event" | "payload">,
) {
  const signature = createHmac("sha256", app.webhookSecret).update(JSON.stringify(payload)).digest("hex");
  return {
    accept: "*/*",
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/sandbox",
    "x-github-delivery": guid,
    "x-github-event": event,
    "x-github-hook-id": String(app.id),
    "x-github-hook-installation-target-id": String(app.id),
    "x-github-hook-installation-target-type": "integration",
    "x-hub-signature-256": `sha256=${signature}`,
  };
}

interface Sending {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: JsonObject;
  readonly ended: AbortSignal;
}

function post(url: string, { headers, payload, ended }: Sending) {
  return new Promise<{ statusCode: number; response: string }>((resolve) => {
    const call = request(url, { method: "POST", headers, agent: false, signal: ended }, (answer) => {
      let response = "";
      answer.setEncoding("utf8").on("data", (text: string) => {
        if (response.length < 2000) response += text.slice(0, 2000);
      });
      answer.once("close", () => resolve({ statusCode: answer.statusCode ?? 0, response }));
    });
    const deadline = setTimeout(() => call.destroy(new Error("timed out")), PATIENCE_MS);
    call.once("error", (error) =>
      resolve({ statusCode: error.message === "timed out" ? 504 : 0, response: error.message }),
    );
    call.once("close", () => clearTimeout(deadline));
    call.end(JSON.stringify(payload));
  });
}
