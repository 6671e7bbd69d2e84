import { LRUCache } from "lru-cache";
import type { GitResult } from "./world-git.js";

/** Of all repositories of a process; the sandbox asks the same few questions about each pull request again and again. */
const answers = new LRUCache<string, Promise<GitResult>>({ max: 2_000 });

/** Commands whose answer follows from the objects they are given and nothing else. */
const PURE = new Set(["cat-file", "diff", "diff-tree", "merge-base", "merge-tree", "rev-list", "rev-parse"]);
/** Options that bring in refs, which move. */
const BY_REF = /^--(?:all|alternate-refs|branches|glob|reflog|remotes|tags|walk-reflogs)\b/;
/** What `cat-file` may be told to expect. */
const KIND = /^(?:blob|commit|tag|tree)$/;
/** A hash in full, alone or as an end of a range, and what may follow one: a kind or a path. */
const BY_HASH = /^\^?[0-9a-f]{40}(?:\.{2,3}[0-9a-f]{40}|\^\{\w+\}|:.*)?$/;

/**
 * What git said to the same question about the same objects before. A hash names the same object for ever, so there is
 * no telling the answer from a new one; what is not there is asked for again, since it may still come.
 */
export function answerOnce(
  asked: { readonly gitDir: string; readonly args: readonly string[]; readonly input?: string | undefined },
  ask: () => Promise<GitResult>,
): Promise<GitResult> {
  if (!isByHash(asked.args, asked.input)) return ask();
  const key = JSON.stringify([asked.gitDir, asked.args, asked.input]);
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = ask();
  answers.set(key, answer);
  const forget = () => answers.delete(key);
  answer.then((result) => isForEver(asked.args, result) || forget(), forget);
  return answer;
}

function isForEver([command]: readonly string[], { code, stdout }: GitResult): boolean {
  // "No common ancestor" and "no ancestor" are about objects that are there; of others git says more than 1.
  if (command === "merge-base") return code <= 1;
  return code === 0 && !(command === "cat-file" && stdout.includes(" missing\n"));
}

function isByHash([command = "", ...rest]: readonly string[], input: string | undefined): boolean {
  if (!PURE.has(command)) return false;
  const paths = rest.indexOf("--");
  const before = paths === -1 ? rest : rest.slice(0, paths);
  const kinds = command === "cat-file" ? KIND : /^$/;
  const names = before.filter((arg) => !arg.startsWith("-") && !kinds.test(arg));
  const takesInput = command === "cat-file" || before.includes("--stdin");
  const listed = takesInput ? (input ?? "").split("\n").filter((line) => line !== "") : [];
  return (
    names.length + listed.length > 0 &&
    [...names, ...listed].every((name) => BY_HASH.test(name)) &&
    !before.some((arg) => BY_REF.test(arg))
  );
}
