import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { issueToken } from "../../../src/sandbox/auth/auth.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/sandbox.js";
import { onFileEnd } from "../file-end.js";

const EVENTS = [
  ...["issues", "issue_comment", "pull_request", "pull_request_review", "pull_request_review_comment"],
  ...["check_run", "check_suite", "status", "workflow_run", "pull_request_review_thread"],
];
const PERMISSIONS: Readonly<Record<string, "write">> = {
  ...{ issues: "write", pull_requests: "write", checks: "write", statuses: "write", contents: "write" },
  actions: "write",
};

interface Told {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: payloads are read like GitHub's clients read them
  readonly payload: any;
}

interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly body: any;
  readonly headers: Headers;
}

/** A loopback GitHub with you (admin), alice (write), bob (triage), mallory (read) and an app that listens to all. */
export interface PeopleLab {
  readonly sandbox: Sandbox;
  /** `owner/name`. */
  readonly repo: string;
  readonly app: { readonly id: number; readonly clientId: string };
  readonly clock: { now: number };
  /** By a login, by `app`, or by nobody. The path is below the repository unless it starts with a double slash. */
  ask(who: string, method: string, path: string, body?: unknown): Promise<Answered>;
  /** The same, and the answer must be a success. */
  get(who: string, path: string): Promise<Answered["body"]>;
  graphql(who: string, query: string, variables?: object): Promise<Answered["body"]>;
  /** Of a login, or of `app`. */
  tokenOf(who: string): string;
  /** What the app was told since it was last asked. */
  news(): Promise<Told[]>;
  /** `event.action` of each. */
  heard(): Promise<string[]>;
  /** A pull request by alice that changes lines 2 and 3 of ten, and adds a file. Its number. */
  openPull(): Promise<number>;
}

interface Shared {
  readonly sandbox: Sandbox;
  readonly told: Told[];
  readonly clock: { now: number };
  readonly app: PeopleLab["app"];
  readonly appToken: string;
}

/** One GitHub for the tests of a file, as keys and schemas take their time; each test has a repository of its own. */
let shared: Promise<Shared> | undefined;
let repositories = 0;

/** A test on a fresh repository. At its end the sandbox must have found nothing that GitHub would not have done. */
export function peopleTest(name: string, body: (lab: PeopleLab) => Promise<void>): void {
  test(name, async () => {
    shared ??= start();
    const parts = await shared;
    await body(await furnish(parts));
    expect(parts.sandbox.problems.splice(0)).toEqual([]);
  });
}

async function start(): Promise<Shared> {
  const told: Told[] = [];
  const receiver = await startReceiver(told);
  const clock = { now: Date.now() };
  const sandbox = await startSandbox({ now: () => clock.now });
  onFileEnd(async () => {
    shared = undefined;
    await sandbox.close();
    await new Promise<void>((resolve) => receiver.close(() => resolve()));
  });
  await sandbox.addRepository({ owner: "you", name: "first" });
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const app = await sandbox.addApp({ slug: "koryph", permissions: PERMISSIONS, events: EVENTS, webhookUrl });
  const installation = sandbox.install(app, ["you/first"]);
  const appToken = issueToken(sandbox.world, "ghs_", {
    ...{ kind: "installation", login: null, app: app.id, installation, repositories: null, expiresAt: null },
    permissions: PERMISSIONS,
  });
  return { sandbox, told, clock, app, appToken };
}

async function startReceiver(told: Told[]): Promise<Server> {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    request.on("end", () => {
      told.push({ event: String(request.headers["x-github-event"]), payload: JSON.parse(text) });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function furnish({ sandbox, told, clock, app, appToken }: Shared): Promise<PeopleLab> {
  repositories += 1;
  const name = `play${repositories}`;
  const repo = `you/${name}`;
  const lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join("");
  await sandbox.addRepository({ owner: "you", name, files: { "text.md": lines } });
  sandbox.setRole(repo, "alice", "write");
  sandbox.setRole(repo, "bob", "triage");
  sandbox.addUser("mallory");
  sandbox.install(app, [repo]);
  const tokenOf = (who: string) => (who === "app" ? appToken : sandbox.tokenFor(who));
  const send = async (who: string, method: string, url: string, body?: unknown): Promise<Answered> => {
    const token = who === "nobody" ? null : tokenOf(who);
    const answer = await fetch(`${sandbox.url}${url}`, {
      method,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? null : JSON.parse(text), headers: answer.headers };
  };
  const ask: PeopleLab["ask"] = (who, method, path, body) =>
    send(who, method, path.startsWith("//") ? path.slice(1) : `/repos/${repo}${path}`, body);
  const news = async () => {
    await sandbox.settled();
    return told.splice(0).filter(({ event }) => EVENTS.includes(event));
  };
  return {
    ...{ sandbox, repo, app, clock, ask, news, tokenOf },
    get: async (who, path) => {
      const { status, body } = await ask(who, "GET", path);
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    },
    graphql: async (who, query, variables = {}) =>
      (await send(who, "POST", "/graphql", { query, variables })).body,
    heard: async () =>
      (await news()).map(({ event, payload }) => [event, payload.action].filter(Boolean).join(".")),
    openPull: async () => {
      const changed = lines.replace("line 2\n", "two\n").replace("line 3\n", "three\n");
      const files = { "text.md": changed, "new.md": "first\nsecond\n" };
      await sandbox.commit(repo, "agent/x", files, { author: "alice", message: "Change two lines" });
      const pull = await sandbox.openPull(repo, { author: "alice", head: "agent/x", title: "Two lines" });
      await news();
      return pull.number;
    },
  };
}
