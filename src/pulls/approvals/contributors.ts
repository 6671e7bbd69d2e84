import type { BranchActivity } from "../../core/land/pull/bind-head.js";
import { coAuthorAccounts } from "../../core/land/pull/co-authors.js";
import type { Contributor, Hand, Person } from "../../core/land/pull/count-approvals.js";
import type { PeopledCommit, PullRecord } from "../../ports/pull-record.js";
import type { PullFacts } from "../../ports/pulls.js";

export interface PullPeople {
  readonly contributors: readonly Contributor[];
  /** Whether GitHub lists all of its commits. */
  readonly known: boolean;
  readonly activity: readonly BranchActivity[] | null;
  /** The commits that GitHub lists. */
  readonly listed: readonly PeopledCommit[];
}

/** So many of a branch's old places are asked about; whoever pushed before that counts as a contributor. */
const MOST_ASKED = 10;
const NOWHERE = /^0+$/;

/** Everybody who had a hand in what a pull request brings. */
export async function readPeople(record: PullRecord, pull: PullFacts): Promise<PullPeople> {
  const [commits, activity] = await Promise.all([record.commits(pull.number), record.activity(pull)]);
  const hands = new Map<number, Contributor>();
  const add = (person: Person | null, hand: Hand) => {
    if (person !== null && !hands.has(person.id)) hands.set(person.id, { ...person, hand });
  };
  add(pull.author, "opened");
  for (const { author } of commits ?? []) add(author, "authored");
  for (const { message } of commits ?? [])
    for (const person of coAuthorAccounts(message)) add(person, "authored");
  for (const { committer } of commits ?? []) add(committer, "committed");
  const own = new Set((commits ?? []).map(({ sha }) => sha));
  for (const { actor } of await pushesOf(record, { pull, own, activity: activity ?? [] }))
    add(actor, "pushed");
  return { contributors: [...hands.values()], known: commits !== null, activity, listed: commits ?? [] };
}

/**
 * The pushes that can have brought any of the commits: those since the branch was last at something that the base branch
 * has. What it held after an earlier one may be in no list any more, and be back since.
 */
async function pushesOf(
  record: PullRecord,
  facts: {
    readonly pull: PullFacts;
    readonly own: ReadonlySet<string>;
    readonly activity: readonly BranchActivity[];
  },
): Promise<BranchActivity[]> {
  const { pull, own, activity } = facts;
  const pushes: BranchActivity[] = [];
  let asked = 0;
  for (const entry of activity) {
    if (NOWHERE.test(entry.after)) continue;
    if (!own.has(entry.after) && asked < MOST_ASKED) {
      asked += 1;
      if (await record.contains(pull.base.branch, entry.after)) break;
    }
    pushes.push(entry);
  }
  return pushes;
}
