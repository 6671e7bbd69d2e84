import { z } from "zod";
import type { Role } from "../../core/commands/roles.js";
import type { ReleaseVerdict } from "../../core/model/release.js";
import type { CommentRef } from "../../core/model/thread.js";
import { cutComment } from "../../core/replies/app/github.js";
import type { ReactionName, Threads } from "../../ports/threads.js";
import type { GithubApp, Octokit } from "./app-client.js";
import type { AppIdentity } from "./app-directory.js";
import { askRole } from "./ask-role.js";
import { MINIMIZE_COMMENT } from "./documents/minimize-comment.js";
import { findStatus } from "./find-status.js";
import { readRelease } from "./issues/read-release.js";
import { readPages } from "./read-pages.js";
import { readRepositoryFile } from "./read-repository-file.js";
import { type RepositoryAt, repositoryAt } from "./repository-at.js";
import { unlessClosed, unlessGone } from "./request-error.js";
import { reactionsToReview, reactToReview } from "./review-reaction.js";
import { type GithubWriting, readWriting } from "./writing.js";

export interface ThreadsPlace {
  readonly installation: number;
  /** `owner/name` */
  readonly repository: string;
}

const Id = z.object({ id: z.number() });
const Head = z.object({
  head: z.object({ ref: z.string(), sha: z.string(), repo: Id.nullable() }),
  base: z.object({ repo: Id }),
});
const OwnComment = z.object({
  id: z.number(),
  created_at: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string() }).nullable(),
  performed_via_github_app: Id.nullish(),
});

const AskedComment = OwnComment.extend({ node_id: z.string() });

const OwnReaction = z.object({
  content: z.string(),
  user: z.object({ login: z.string(), type: z.string() }).nullable(),
});

/** The conversations of one repository on GitHub. */
export class GithubThreads implements Threads {
  readonly #app: GithubApp;
  readonly #place: ThreadsPlace;
  readonly #self: Pick<AppIdentity, "id" | "botLogin">;
  readonly #at: RepositoryAt;

  constructor(app: GithubApp, place: ThreadsPlace, self: Pick<AppIdentity, "id" | "botLogin">) {
    this.#app = app;
    this.#place = place;
    this.#self = self;
    this.#at = repositoryAt(place.repository);
  }

  async read(comment: CommentRef): Promise<GithubWriting | null> {
    return readWriting(await this.#octokit(), this.#at, comment);
  }

  async react(comment: CommentRef, reaction: ReactionName): Promise<void> {
    const octokit = await this.#octokit();
    const asked = { ...this.#at, comment_id: comment.id, content: reaction };
    switch (comment.kind) {
      case "comment":
        await unlessGone(octokit.rest.reactions.createForIssueComment(asked));
        return;
      case "review-comment":
        await unlessGone(octokit.rest.reactions.createForPullRequestReviewComment(asked));
        return;
      case "review":
        await reactToReview(octokit, this.#at, comment, reaction);
    }
  }

  /** Whether one of these reactions to it is ours. To a comment that is gone there is none. */
  async hasReacted(comment: CommentRef, among: readonly ReactionName[]): Promise<boolean> {
    const octokit = await this.#octokit();
    if (comment.kind === "review") {
      const own = await reactionsToReview(octokit, this.#at, comment);
      return own.some((name) => among.includes(name));
    }
    const { listForIssueComment, listForPullRequestReviewComment } = octokit.rest.reactions;
    const list = comment.kind === "comment" ? listForIssueComment : listForPullRequestReviewComment;
    const pages = readPages(OwnReaction, async (page) => {
      const asked = { ...this.#at, comment_id: comment.id, ...page };
      return (await unlessGone(list(asked))) ?? { data: [] };
    });
    for await (const { content, user } of pages)
      if (this.#isSelf(user) && among.some((name) => name === content)) return true;
    return false;
  }

  async say(thread: number, body: string): Promise<number | null> {
    const octokit = await this.#octokit();
    const answer = await unlessClosed(
      octokit.rest.issues.createComment({
        ...this.#at,
        issue_number: thread,
        body: cutComment(body),
      }),
    );
    return answer === null ? null : Id.parse(answer.data).id;
  }

  async edit(comment: number, body: string): Promise<"edited" | "gone"> {
    const octokit = await this.#octokit();
    const answer = await unlessGone(
      octokit.rest.issues.updateComment({
        ...this.#at,
        comment_id: comment,
        body: cutComment(body),
      }),
    );
    return answer === null ? "gone" : "edited";
  }

  async hide(comment: number, text: string): Promise<void> {
    const found = await this.#own(comment, text);
    if (found === null) return;
    await (await this.#octokit()).graphql(MINIMIZE_COMMENT, { subject: found.node_id });
  }

  /** Whether it is our own comment, and begins with this text. */
  async isOwn(comment: number, text: string): Promise<boolean> {
    return (await this.#own(comment, text)) !== null;
  }

  async findOwn(thread: number, since: string, text: string): Promise<number | null> {
    const octokit = await this.#octokit();
    // GitHub writes whole seconds, so what was written within the same second was written after.
    const begin = Math.floor(Date.parse(since) / 1000) * 1000;
    const pages = readPages(OwnComment, (page) =>
      octokit.rest.issues.listComments({
        ...this.#at,
        issue_number: thread,
        // GitHub means the time of the last change by it; the time of writing is looked at below.
        since: `${new Date(begin).toISOString().slice(0, 19)}Z`,
        ...page,
      }),
    );
    let newest: number | null = null;
    // Only at the beginning: further on stand other people's words.
    for await (const comment of pages)
      if (this.#isOwn(comment) && comment.body?.startsWith(text))
        if (Date.parse(comment.created_at) >= begin) newest = comment.id;
    return newest;
  }

  async findStatus(thread: number): Promise<number | null> {
    const roleOf = (login: string) => this.role(login);
    const found = await findStatus(await this.#octokit(), this.#at, { thread, roleOf });
    return found?.id ?? null;
  }

  async release(issue: number, label: string): Promise<ReleaseVerdict | null> {
    const place = { repository: this.#place.repository, label };
    const roleOf = (login: string) => this.role(login);
    return readRelease(await this.#octokit(), place, { issue, roleOf });
  }

  async role(login: string): Promise<Role> {
    return askRole(await this.#octokit(), this.#at, login);
  }

  async head(pull: number): Promise<Awaited<ReturnType<Threads["head"]>>> {
    const octokit = await this.#octokit();
    const answer = await unlessGone(octokit.rest.pulls.get({ ...this.#at, pull_number: pull }));
    if (answer === null) return null;
    const { head, base } = Head.parse(answer.data);
    // A fork that was deleted leaves no repository behind.
    return { branch: head.ref, sha: head.sha, fork: head.repo?.id !== base.repo.id };
  }

  async file(path: string): Promise<string | null> {
    return readRepositoryFile(await this.#octokit(), this.#place.repository, path);
  }

  /** Of the repository that has the name now. */
  async repositoryId(): Promise<number> {
    const { data } = await (await this.#octokit()).rest.repos.get({ ...this.#at });
    return Id.parse(data).id;
  }

  async #own(comment: number, text: string): Promise<z.infer<typeof AskedComment> | null> {
    const octokit = await this.#octokit();
    const answer = await unlessGone(octokit.rest.issues.getComment({ ...this.#at, comment_id: comment }));
    const found = answer && AskedComment.parse(answer.data);
    return found !== null && this.#isOwn(found) && found.body?.startsWith(text) ? found : null;
  }

  /** What a person wrote with a token that the App holds for them is theirs, not ours. */
  #isOwn({ user, performed_via_github_app: via }: z.infer<typeof OwnComment>): boolean {
    if (user?.type !== "Bot") return false;
    return via?.id === this.#self.id || user.login === this.#self.botLogin;
  }

  /** Of a reaction GitHub tells no app, but only the App's own bot has its name. */
  #isSelf(user: z.infer<typeof OwnReaction>["user"]): boolean {
    return user?.type === "Bot" && user.login === this.#self.botLogin;
  }

  #octokit(): Promise<Octokit> {
    return this.#app.asInstallation(this.#place.installation);
  }
}
