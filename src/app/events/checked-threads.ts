import { GithubThreads } from "../../adapters/github/github-threads.js";
import { markedThread } from "../../core/replies/land/pull/status-comment.js";

/**
 * Numbers of comments come from the ledger here, where whoever can push can write, and koryph may change everybody's
 * comments. So a number that GitHub has not just given out is looked at first: only what is our own already, with the mark
 * of the new text, is written anew.
 */
export class CheckedThreads extends GithubThreads {
  readonly #given = new Set<number>();

  override async say(thread: number, body: string): Promise<number | null> {
    return this.#give(await super.say(thread, body));
  }

  override async findOwn(thread: number, since: string, text: string): Promise<number | null> {
    return this.#give(await super.findOwn(thread, since, text));
  }

  override async findStatus(thread: number): Promise<number | null> {
    return this.#give(await super.findStatus(thread));
  }

  override async edit(comment: number, body: string): Promise<"edited" | "gone"> {
    return (await this.#mayEdit(comment, body)) ? super.edit(comment, body) : "gone";
  }

  async #mayEdit(comment: number, body: string): Promise<boolean> {
    const [mark = ""] = body.split("\n");
    if (this.#given.has(comment) || (await this.isOwn(comment, mark))) return true;
    // A status comment may be that of another koryph.
    const thread = markedThread(body);
    return thread !== null && (await this.findStatus(thread)) === comment;
  }

  #give(comment: number | null): number | null {
    if (comment !== null) this.#given.add(comment);
    return comment;
  }
}
