import { gitEnvironment } from "./git-environment.js";
import { quietEnvironment } from "./quiet-git.js";
import { askStanding } from "./standing-git.js";

interface ObjectContent {
  readonly sha: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** An answer is put together anew with each piece of it that arrives. */
const AT_ONCE = 256;

type Found = ObjectContent | null;

/**
 * What stands in a few small objects of one of koryph's own repositories, in the order asked for, by a git that stays;
 * null for one that is not there. Names are as for `describeObjects`. Null altogether when git ended before it had
 * answered, as it does over an object that is damaged: then ask a git that says why.
 */
export async function objectContents(
  repo: string,
  names: readonly string[],
): Promise<readonly Found[] | null> {
  // One letter for each byte, so that lengths are what git says they are.
  const facts = {
    gitDir: repo,
    args: ["cat-file", "--batch"],
    env: () => gitEnvironment(quietEnvironment(repo)),
    encoding: "latin1",
  } as const;
  const found: Found[] = [];
  while (found.length < names.length) {
    const next = names.slice(found.length, found.length + AT_ONCE);
    const question = next.map((name) => `${name}\n`).join("");
    const answer = await askStanding(facts, question, (heard) => takeObjects(heard, next.length));
    if (answer === null) return null;
    found.push(...answer);
  }
  return found;
}

function takeObjects(heard: string, count: number) {
  const answer: Found[] = [];
  let at = 0;
  while (answer.length < count) {
    const end = heard.indexOf("\n", at);
    if (end === -1) return null;
    const [, sha, type = "", size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(heard.slice(at, end)) ?? [];
    at = end + 1;
    if (sha === undefined) {
      answer.push(null);
      continue;
    }
    const last = at + Number(size);
    if (heard.length <= last) return null;
    answer.push({ sha, type, bytes: Buffer.from(heard.slice(at, last), "latin1") });
    at = last + 1;
  }
  return { answer, rest: heard.slice(at) };
}
