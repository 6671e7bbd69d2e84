import { includesRole } from "../../../src/core/commands/roles.js";
import { statusMarker } from "../../../src/core/replies/land/pull/status-comment.js";
import { ALLOWED_SIGNERS } from "../../../src/core/replies/sign/signing.js";
import type { BaseConditions } from "../../../src/ports/base-conditions.js";
import { OutsideFault } from "../../../src/ports/outside-fault.js";
import type { PullRecord } from "../../../src/ports/pull-record.js";
import type { PullFacts, Pulls } from "../../../src/ports/pulls.js";
import type { Threads } from "../../../src/ports/threads.js";
import { type Account, BOT, type Hub, type HubPull } from "./hub.js";

export const REPOSITORY = "sim/sim";
export const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKoryphKoryphKoryphKoryphKoryphKoryphKory";

const time = (at: number) => new Date(at).toISOString();

export function commentUrl(pull: number, id: number): string {
  return `https://github.sim/${REPOSITORY}/pull/${pull}#issuecomment-${id}`;
}

/** `onRead` is told when somebody begins to look at a pull request. */
export function hubPulls(hub: Hub, onRead: (pull: number) => void): Pulls {
  return {
    read: async (number) => {
      onRead(number);
      const pull = hub.pull(number);
      return pull === undefined ? null : factsOf(hub, pull);
    },
    listOpen: async () => hub.pulls.filter(({ state }) => state === "open").map((pull) => factsOf(hub, pull)),
    findByBranch: async (branch) => {
      const pull = hub.pulls.findLast((each) => each.branch === branch && !each.fork);
      return pull === undefined ? null : factsOf(hub, pull);
    },
    open: async () => ({ kind: "refused", why: "nobody opens one here" }),
    isOn: async (_branch, commit) => hub.origin.has(commit),
    close: async (number) => {
      const pull = hub.pull(number);
      if (pull !== undefined) hub.close(pull, null);
    },
    deleteBranch: async (branch, head) => {
      if (hub.origin.branches.get(branch) !== head) return "moved";
      const open = hub.pulls.find((pull) => pull.branch === branch && pull.state === "open");
      if (open !== undefined)
        hub.origin.violate(`the branch of the open pull request ${open.number} was deleted`);
      hub.origin.branches.delete(branch);
      return "gone";
    },
  };
}

function factsOf(hub: Hub, pull: HubPull): PullFacts {
  const { number, branch, author, fork, state, draft, merged, into, shown } = pull;
  return {
    ...{ number, url: `https://github.sim/${REPOSITORY}/pull/${number}`, title: "feat: work", body: "" },
    author: { login: author.login, id: author.id, isBot: author === BOT },
    ...{ state, draft },
    merged: merged && { commit: merged.commit, by: null },
    head: { branch, sha: shown, fork, repository: fork ? "else/sim" : REPOSITORY },
    base: { branch: into, sha: hub.origin.tip },
    updatedAt: "",
  };
}

export function hubRecord(hub: Hub, people: readonly Account[]): PullRecord {
  const { origin } = hub;
  const person = (id: number | undefined) => people.find((each) => each.id === id) ?? null;
  return {
    commits: async (number) => {
      const pull = hub.pull(number);
      const own = pull === undefined ? [] : origin.history.since(pull.shown, origin.tip);
      return own.map(({ sha, by, subject }) => ({
        ...{ sha, author: person(by), committer: person(by), message: subject },
      }));
    },
    activity: async ({ head }) =>
      hub.pushes
        .filter(({ branch }) => branch === head.branch)
        .map(({ after, at, actor }) => ({ after, at: time(at), actor }))
        .reverse(),
    contains: async (_base, commit) => origin.has(commit),
    verdicts: async (number) =>
      hub.reviews
        .filter(({ pull }) => pull === number)
        .map(({ id, by, state, anchor: head, at }) => ({
          ...{ by: { ...by, type: "User" }, mayPush: includesRole(by.role, "write"), state, head },
          ...{ submittedAt: time(at), url: commentUrl(number, id) },
        })),
    openThreads: async () => 0,
    fileAt: async (path) => (path === ALLOWED_SIGNERS ? `koryph@sim ${KEY}\n` : null),
  };
}

export function hubConditions(hub: Hub): BaseConditions {
  return {
    rules: async () =>
      hub.rulesReadable ? { kind: "read", rules: hub.rules } : { kind: "unreadable", why: "GitHub says 403" },
    checks: async (head) => hub.reports.filter(({ sha }) => sha === head),
  };
}

/** `told` is the reply that somebody got. */
export function hubThreads(
  hub: Hub,
  people: readonly Account[],
  told: (pull: number, body: string) => void,
): Threads {
  const own = new Map<number, { readonly thread: number; body: string }>();
  return {
    read: async ({ id }) => {
      const found = hub.comments.find((each) => each.id === id);
      if (found === undefined || found.body === null) return null;
      const { by, at, pull, body } = found;
      const url = commentUrl(pull, id);
      return { body, author: by, viaApp: null, createdAt: time(at), url, edited: async () => false };
    },
    react: async () => {},
    say: async (thread, body) => {
      const id = hub.nextId();
      own.set(id, { thread, body });
      told(thread, body);
      return id;
    },
    edit: async (id, body) => {
      const there = own.get(id);
      if (there === undefined) return "gone";
      there.body = body;
      return "edited";
    },
    hide: async () => {},
    findOwn: async (thread, _since, text) =>
      [...own].find(([, each]) => each.thread === thread && each.body.startsWith(text))?.[0] ?? null,
    release: async () => null,
    findStatus: async (thread) =>
      [...own].find(
        ([, each]) => each.thread === thread && each.body.startsWith(statusMarker(thread)),
      )?.[0] ?? null,
    role: async (login) => {
      const person = people.find((each) => each.login === login);
      if (person === undefined) throw new OutsideFault({ message: "nobody of that name", hint: "look" });
      return person.role;
    },
    head: async (number) => {
      const pull = hub.pull(number);
      return pull === undefined ? null : { branch: pull.branch, sha: pull.shown, fork: pull.fork };
    },
    file: async () => null,
  };
}
