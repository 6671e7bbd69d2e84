import type { DeviceLogins } from "../../adapters/github/device-login.js";
import type { AppMemory } from "../../adapters/store/app-memory.js";
import { seal, unseal } from "../../adapters/store/seal.js";
import type { LinkAnswer, Linking } from "../../comments/command-parts.js";
import { CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import { linkRefusal, linkWords } from "../../core/replies/app/link.js";
import type { Inbox, Job } from "../../ports/inbox.js";
import { Hopeless, TryLater } from "../../ports/try-later.js";
import { KeptToken, LinkStep } from "./link-step.js";

/** The name under which a login that waits for its person lies in the inbox. */
export const LINK_JOB = "koryph.link";

/** Places among a comment's decisions that no command has. */
const LINK_PLACE = -2;
const UNLINK_PLACE = -3;

const UNANSWERED_MS = 5000;

type Step<K extends LinkStep["kind"]> = Extract<LinkStep, { kind: K }>;

export interface LinkParts {
  readonly logins: Pick<DeviceLogins, "start" | "ask" | "owner">;
  readonly memory: Pick<
    AppMemory,
    "account" | "decide" | "decided" | "dropAccount" | "handled" | "saveAccount"
  >;
  readonly inbox: Pick<Inbox, "add">;
  readonly onAdded: () => void;
  readonly clientId: () => Promise<string>;
  /** `https://github.com`: accounts of different servers are different accounts. */
  readonly host: string;
  /** Null when accounts cannot be linked here. */
  readonly key: Uint8Array | null;
  readonly now: () => number;
  /** Puts another sentence in the place of the one the link command was answered with. */
  readonly tell: (job: CommentJob, outcome: LinkAnswer) => Promise<void>;
}

/** Ties people's accounts to the App, by GitHub's device flow. */
export class LinkAccounts implements Linking {
  readonly #parts: LinkParts;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  async begin(job: CommentJob): Promise<LinkAnswer> {
    const { inbox, key, now, onAdded } = this.#parts;
    if (key === null) return linkRefusal.off();
    const comment = keyOf(job);
    const step = (await this.#step(comment)) ?? (await this.#start(job, key));
    if (step === null) return linkRefusal.noDeviceFlow();
    if (step.kind === "ended") return step.outcome;
    // Also when it was begun before: whoever began it may have come no further than that.
    await inbox.add({
      id: `${LINK_JOB} ${comment}`,
      name: LINK_JOB,
      lane: "work",
      key: `${LINK_JOB} ${comment}`,
      payload: JSON.stringify(job),
      notBefore: now() + (step.kind === "begun" ? step.intervalSeconds * 1000 : 0),
    });
    onAdded();
    return { kind: "said", said: step.said };
  }

  async end(job: CommentJob): Promise<LinkAnswer> {
    const { memory, host, now } = this.#parts;
    const { author } = job;
    const said = linkWords.unlinked(author.login, host);
    const comment = keyOf(job);
    // A code that was asked for before this and is entered after it links nothing any more.
    const asked: Asked = { at: Date.parse(job.comment.createdAt), id: job.comment.id };
    await memory.decide(unlinkedName(host, author.id), UNLINK_PLACE, JSON.stringify(asked), now());
    if ((await memory.decided(comment, UNLINK_PLACE)) === null) {
      if ((await memory.account(host, author.id)) === null) return linkRefusal.notLinked(author.login);
      await memory.decide(comment, UNLINK_PLACE, "unlink", now());
    }
    await memory.dropAccount(host, author.id);
    return { kind: "said", said };
  }

  /** Takes a login further; `TryLater` until the person has entered the code, or it is too late. */
  async poll({ payload }: Pick<Job, "payload">): Promise<void> {
    const { memory, now, tell } = this.#parts;
    const { data: job } = CommentJob.safeParse(JSON.parse(payload));
    if (job === undefined) throw new Hopeless("a login that cannot be read");
    const comment = keyOf(job);
    const step = await this.#step(comment);
    if (step === null) throw new Hopeless("a login that nothing is known of");
    const outcome = await this.#advance(job, step);
    await this.#note(comment, { kind: "ended", outcome });
    // Somebody else is about to write the reply, and two who write at once would write two.
    if (!(await memory.handled(comment)))
      throw new TryLater("the comment was not answered yet", now() + UNANSWERED_MS);
    await tell(job, outcome);
  }

  async #start(job: CommentJob, key: Uint8Array): Promise<LinkStep | null> {
    const { logins, clientId, now } = this.#parts;
    const login = await logins.start(await clientId());
    if (login === null) return null;
    const comment = keyOf(job);
    const step: LinkStep = {
      kind: "begun",
      said: linkWords.enter(login, job.author.login),
      sealed: sealed(key, login.deviceCode, comment),
      expiresAt: now() + login.expiresSeconds * 1000,
      intervalSeconds: login.intervalSeconds,
    };
    await this.#note(comment, step);
    return step;
  }

  async #advance(job: CommentJob, step: LinkStep): Promise<LinkAnswer> {
    const { key } = this.#parts;
    if (step.kind === "ended") return step.outcome;
    if (key === null) return linkRefusal.off();
    const secret = unseal(key, Buffer.from(step.sealed, "base64"), keyOf(job));
    if (secret === null) return linkRefusal.otherKey();
    return step.kind === "begun"
      ? this.#ask(job, step, { key, deviceCode: secret })
      : this.#keep(job, KeptToken.parse(JSON.parse(secret)), key);
  }

  async #ask(
    job: CommentJob,
    step: Step<"begun">,
    { key, deviceCode }: { readonly key: Uint8Array; readonly deviceCode: string },
  ): Promise<LinkAnswer> {
    const { logins, clientId, now } = this.#parts;
    if (now() > step.expiresAt) return linkRefusal.expired();
    const { intervalSeconds } = step;
    const answer = await logins.ask(await clientId(), { deviceCode, intervalSeconds });
    switch (answer.kind) {
      case "pending":
        await this.#note(keyOf(job), { ...step, intervalSeconds: answer.intervalSeconds });
        throw new TryLater("the code was not entered yet", now() + answer.intervalSeconds * 1000);
      case "expired":
        return linkRefusal.expired();
      case "denied":
        return linkRefusal.denied();
      case "token": {
        const { token, expiresSeconds, refreshToken } = answer.token;
        const expires_at = expiresSeconds === null ? null : now() + expiresSeconds * 1000;
        const kept: KeptToken = { token, expires_at, refresh_token: refreshToken };
        const granted = sealed(key, JSON.stringify(kept), keyOf(job));
        await this.#note(keyOf(job), { kind: "granted", said: step.said, sealed: granted });
        return this.#keep(job, kept, key);
      }
    }
  }

  /** Anybody can read the code in the comment and enter it; only the commenter's own account is taken. */
  async #keep({ author, comment }: CommentJob, kept: KeptToken, key: Uint8Array): Promise<LinkAnswer> {
    const { logins, memory, host, now } = this.#parts;
    const unlinked = await memory.decided(unlinkedName(host, author.id), UNLINK_PLACE);
    const asked: Asked = { at: Date.parse(comment.createdAt), id: comment.id };
    if (unlinked !== null && isLater(JSON.parse(unlinked) as Asked, asked))
      return linkRefusal.takenBack(host);
    const owner = await logins.owner(kept.token);
    if (owner === null) return linkRefusal.denied();
    const { id: userId, login } = owner;
    if (userId !== author.id) return linkRefusal.somebodyElse(author.login, login, host);
    const account = seal(key, JSON.stringify(kept), `${host} ${userId}`);
    await memory.saveAccount({ host, userId, login, sealed: account, linkedAt: now() });
    return { kind: "said", said: linkWords.linked(login) };
  }

  async #step(comment: string): Promise<LinkStep | null> {
    const found = await this.#parts.memory.decided(comment, LINK_PLACE);
    return found === null ? null : LinkStep.parse(JSON.parse(found));
  }

  #note(comment: string, step: LinkStep): Promise<void> {
    return this.#parts.memory.decide(comment, LINK_PLACE, JSON.stringify(step), this.#parts.now());
  }
}

/** When something was asked for. GitHub's times have whole seconds; within one, its ids tell. */
interface Asked {
  readonly at: number;
  readonly id: number;
}

function isLater(one: Asked, other: Asked): boolean {
  return one.at > other.at || (one.at === other.at && one.id > other.id);
}

function unlinkedName(host: string, userId: number): string {
  return `unlinked ${host} ${userId}`;
}

function keyOf(job: CommentJob): string {
  return commentKey(commentRef(job));
}

function sealed(key: Uint8Array, secret: string, about: string): string {
  return Buffer.from(seal(key, secret, about)).toString("base64");
}
