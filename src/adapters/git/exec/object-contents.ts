import { gitEnvironment } from "./git-environment.js";
import { quietEnvironment } from "./quiet-git.js";
import { askStanding } from "./standing-git.js";

interface ObjectContent {
  readonly sha: string;
  readonly type: string;
  readonly bytes: Buffer;
}

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
  if (names.length === 0) return [];
  // One letter for each byte, so that lengths are what git says they are.
  const facts = {
    gitDir: repo,
    args: ["cat-file", "--batch"],
    env: () => gitEnvironment(quietEnvironment(repo)),
    encoding: "latin1",
  } as const;
  const question = names.map((name) => `${name}\n`).join("");
  return askStanding(facts, question, (heard) => takeObjects(heard, names.length));
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
