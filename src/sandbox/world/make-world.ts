import { makeTurns } from "../../lib/async/turns.js";
import { gitBytes, resolveCommit } from "../git/world-git.js";
import { announceMoves, applyMoves } from "../git/world-refs.js";
import { makeFaults } from "../http/faults.js";
import type { JsonObject } from "../http/json.js";
import { makeQuota } from "../http/rate-limit.js";
import { HttpRefusal } from "../http/route.js";
import { renderInstallation } from "../render/app.js";
import { fullName, renderRepository } from "../render/repository.js";
import { nodeId, renderUser } from "../render/user.js";
import { verifyPushed } from "../sign/verify-commit.js";
import { isActionsApp } from "./actions-app-id.js";
import type { App, Installation } from "./app-state.js";
import { listeners, startPostman } from "./deliver.js";
import { settlePulls } from "./pulls/world-pulls.js";
import type { Issue, Repository, RoleName, SandboxState } from "./state.js";
import { makeSwitches } from "./switches.js";
import type { NewsItem, World } from "./world.js";

/** A world, and what only its server uses. */
export interface ServedWorld extends World {
  /** Counts up with every change, as far as it is known. */
  readonly changes: () => number;
  /** Nothing is sent any more. */
  stopPost(): void;
}

function emptyState(): SandboxState {
  return {
    nextId: 1001,
    users: [],
    repositories: [],
    apps: [],
    tokens: [],
    deliveries: [],
    deviceLogins: [],
  };
}

export function makeWorld(given: {
  readonly state?: SandboxState;
  readonly url: string;
  readonly now?: () => number;
}): ServedWorld {
  const { state = emptyState(), url, now = Date.now } = given;
  const faults = makeFaults();
  const turns = makeTurns();
  const heeding: ((news: NewsItem) => void)[] = [];
  let changes = 0;

  const timestamp = () => `${new Date(now()).toISOString().slice(0, 19)}Z`;
  const newId = () => {
    changes += 1;
    if (isActionsApp(state.nextId)) state.nextId += 1;
    state.nextId += 1;
    return state.nextId - 1;
  };
  const postman = startPostman({
    ...{ state, faults, now, newId, timestamp },
    payload: (news, to) => payloadFor(world, news, to),
  });
  const inTurn = <T>(repository: Repository, act: () => Promise<T>) =>
    turns((repository.forkOf ?? fullName(repository)).toLowerCase(), act);
  const afterMoves: World["afterMoves"] = async (repository, login, moves, kind) => {
    changes += 1;
    await verifyPushed(world, repository, moves);
    await announceMoves(world, repository, { login, moves, ...(kind && { kind }) });
    await settlePulls(world, repository, login);
  };

  const world: ServedWorld = {
    ...{ state, url, now, faults, timestamp, newId, inTurn, afterMoves },
    problems: [],
    switches: makeSwitches(),
    quota: makeQuota(now),
    changes: () => changes,
    repository: (name) =>
      state.repositories.find((each) => fullName(each).toLowerCase() === name.toLowerCase()) ?? null,
    user: (login) => state.users.find((each) => each.login.toLowerCase() === login.toLowerCase()) ?? null,
    issue: findIssue,
    role: roleOf,
    tell: (news) => {
      changes += 1;
      postman.post(news);
      for (const listener of heeding) listener(news);
    },
    heed: (listener) => {
      heeding.push(listener);
    },
    heard: (event, repository) => heeding.length > 0 || listeners(state, { event, repository }).length > 0,
    redeliver: postman.redeliver,
    settled: postman.settled,
    stopPost: postman.stop,
    git: async (repository, args, input) => (await gitBytes(repository, args, { input })).toString(),
    gitBytes: (repository, args, input) => gitBytes(repository, args, { input }),
    resolve: (repository, name) => resolveCommit(repository, name),
    moveRefs: (repository, mover, wanted) =>
      inTurn(repository, async () => {
        const { complaints, moves } = await applyMoves(world, repository, { mover, wanted });
        if (complaints.length === 0) await afterMoves(repository, mover.login, moves);
        return complaints;
      }),
    settlePulls: (repository, pusher) => inTurn(repository, () => settlePulls(world, repository, pusher)),
  };
  return world;
}

function findIssue({ issues }: Repository, number: number | string): Issue {
  const found = issues.find((each) => each.number === Number(number));
  if (found === undefined) throw new HttpRefusal(404, "Not Found");
  return found;
}

function roleOf(repository: Repository, login: string): RoleName {
  if (repository.owner.toLowerCase() === login.toLowerCase()) return "admin";
  const entry = Object.entries(repository.collaborators).find(
    ([each]) => each.toLowerCase() === login.toLowerCase(),
  );
  return entry?.[1].role ?? (repository.private ? "none" : "read");
}

function payloadFor(
  world: World,
  news: NewsItem,
  { app, installation }: { readonly app: App; readonly installation: Installation },
): JsonObject {
  const { repository } = news;
  const organization = repository !== null && world.user(repository.owner)?.type === "Organization";
  return {
    ...(news.action === null ? {} : { action: news.action }),
    ...(repository === null ? {} : { repository: renderRepository(world, repository) }),
    ...(organization ? { organization: renderUser(world, repository.owner) } : {}),
    sender: renderUser(world, news.sender),
    installation: news.event.startsWith("installation")
      ? renderInstallation(world, app, installation)
      : { id: installation.id, node_id: nodeId("Installation", installation.id) },
    ...news.payload,
  };
}
