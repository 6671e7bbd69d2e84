import type { KeptComment } from "../core/model/kept-comment.js";
import type { Threads } from "../ports/threads.js";

export interface KeepCommentParts {
  readonly threads: Pick<Threads, "say" | "edit" | "findStatus">;
  /** SHA-256, in hexadecimal digits. */
  readonly digest: (text: string) => string;
}

/** The thread's one status comment has this text afterwards. Somebody who deleted it wants no other. */
export async function keepComment(
  { threads, digest }: KeepCommentParts,
  { thread, body }: { readonly thread: number; readonly body: string },
  before: KeptComment | undefined,
): Promise<KeptComment> {
  const told = digest(body);
  if (before !== undefined && (before.told === told || before.deleted)) return before;
  const known = before?.id ?? (await threads.findStatus(thread));
  if (known !== null && (await threads.edit(known, body)) === "edited")
    return { id: known, told, deleted: false };
  if (known !== null && before !== undefined) return { id: known, told, deleted: true };
  return { id: await threads.say(thread, body), told, deleted: false };
}
