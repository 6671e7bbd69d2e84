import { generateKeyPairSync } from "node:crypto";
import nock from "nock";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { githubApp, type ProbotApp } from "../../../src/adapters/github/app-client.js";
import { GithubThreads } from "../../../src/adapters/github/github-threads.js";
import type { RequestNews } from "../../../src/adapters/github/guard-requests.js";
import type { CommentRef } from "../../../src/core/model/thread.js";

export const API = "https://api.acme.ghe.com";
export const INSTALLATION = 7;
export const TOKEN = "ghs_7_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

export interface NockWorld {
  readonly app: ProbotApp;
  readonly requests: RequestNews[];
  readonly logged: string[];
  /** What writes waited for, in milliseconds. */
  readonly waits: number[];
  now: number;
}

/** A client for a GitHub that answers what the test says, and nothing else; its clock stands still. */
export function nockWorld(apiUrl: string = API): NockWorld {
  const requests: RequestNews[] = [];
  const logged: string[] = [];
  const waits: number[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => logged.push(line) });
  const world = { requests, logged, waits, now: Date.parse("2026-01-02T03:04:05Z") };
  const app = githubApp({
    ...{ appId: 12, privateKey, secret: "a webhook secret", apiUrl, serverUrl: `${apiUrl}/`, log },
    now: () => world.now,
    sleep: async (ms) => {
      waits.push(ms);
      world.now += ms;
    },
    onRequest: (news) => requests.push(news),
  });
  return Object.assign(world, { app });
}

/** GitHub gives out a token for the installation. */
export function giveToken(token = TOKEN, installation = INSTALLATION): nock.Scope {
  return nock(API)
    .post(`/app/installations/${installation}/access_tokens`)
    .reply(201, { token, expires_at: "2099-01-01T00:00:00Z", permissions: { issues: "write" } });
}

/** What the test foresaw was asked, and nothing besides. */
export function endNock(): readonly string[] {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  return pending;
}

/** Nothing of a file of tests reaches the network; the next file of this process has it back. */
export function closeNetwork(): void {
  beforeAll(() => {
    // Loading nock starts it, once for a process.
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterAll(() => {
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
  });
}

/** Every request of a file of tests is one that it expects, and nothing reaches the network. */
export function useNock(): void {
  closeNetwork();
  afterEach(() => expect(endNock()).toEqual([]));
}

export const github = () => nock(API);
const thread = { repository: "o/r", number: 1, kind: "pull" } as const;
export const ref = (kind: CommentRef["kind"]): CommentRef => ({ kind, id: 5, thread });
export const person = { login: "alice", id: 3, type: "User" };
export const bot = { login: "koryph[bot]", id: 4, type: "Bot" };

export function threads(): GithubThreads {
  giveToken();
  const place = { installation: INSTALLATION, repository: "o/r" };
  return new GithubThreads(nockWorld().app, place, { id: 12, botLogin: "koryph[bot]" });
}
