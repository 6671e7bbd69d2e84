import type { ShownCommit } from "../../core/receipts/judge-receipt.js";

/** A commit as it is stored, taken apart as far as its signature goes. */
export interface CommitObject extends ShownCommit {
  /** As it stands in the commit; null when it has none. */
  readonly signature: string | null;
  /** What was signed: the commit without its signature. */
  readonly signed: Buffer;
}

const SIGNATURE = "gpgsig ";

export function readCommitObject(object: Buffer): CommitObject {
  // One letter for each byte, so that nothing is lost whatever encoding the message has.
  const text = object.toString("latin1");
  const end = text.indexOf("\n\n");
  const head = end === -1 ? text : text.slice(0, end);
  const kept: string[] = [];
  const signature: string[] = [];
  let inSignature = false;
  for (const line of head.split("\n")) {
    inSignature = line.startsWith(SIGNATURE) || (inSignature && line.startsWith(" "));
    if (inSignature) signature.push(line.startsWith(" ") ? line.slice(1) : line.slice(SIGNATURE.length));
    else kept.push(line);
  }
  const values = (name: string) =>
    kept.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  return {
    tree: values("tree")[0] ?? "",
    parents: values("parent"),
    signature: signature.length === 0 ? null : signature.join("\n"),
    signed: Buffer.from(kept.join("\n") + text.slice(head.length), "latin1"),
  };
}
