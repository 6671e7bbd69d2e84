import { SIGNATURE_FILE, STATEMENT_FILE } from "../../../core/receipts/envelope.js";
import { quietOutput } from "../exec/quiet-git.js";
import { readObjects } from "./read-objects.js";

/** A receipt as the chain has it, whatever it is worth. */
export interface ChainReceipt {
  readonly commit: string;
  readonly parents: readonly string[];
  /** Null when there is none. */
  readonly payload: Buffer | null;
  readonly signature: Buffer | null;
}

/** The chain up to a tip, oldest first. Only first parents count: a receipt with two is found to be one. */
export async function readChain(repo: string, tip: string): Promise<ChainReceipt[]> {
  const listed = await quietOutput(repo, [
    ...["rev-list", "--reverse", "--first-parent", "--parents", "--end-of-options", tip],
    "--",
  ]);
  const commits = listed
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" "));
  const files = await readObjects(
    repo,
    commits.flatMap(([commit]) => [`${commit}:${STATEMENT_FILE}`, `${commit}:${SIGNATURE_FILE}`]),
  );
  return commits.map(([commit = "", ...parents], at) => ({
    commit,
    parents,
    payload: files[2 * at] ?? null,
    signature: files[2 * at + 1] ?? null,
  }));
}
