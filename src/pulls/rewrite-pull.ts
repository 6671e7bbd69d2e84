import type { PullRefusal } from "../core/land/pull/pull-refusal.js";
import { pullSquashMessage } from "../core/land/pull/pull-squash-message.js";
import { isForRunner } from "../core/land/pull/unmet-for-landing.js";
import { landWords } from "../core/replies/land/land.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Candidate } from "../ports/repo.js";
import type { GatheredFacts, LandPullParts, LandPullSettings } from "./gather-land-facts.js";
import { haveRebased } from "./jobs/have-rebased.js";

type Rewritten = Promise<Landing | PullRefusal | { readonly waits: PullRefusal }>;

interface RewrittenPull {
  readonly landing: Landing;
  readonly facts: GatheredFacts;
}

/** Replays the commits on the base branch as it is now, each by itself; or has a runner do so. */
export async function rebasePull(
  parts: LandPullParts,
  settings: LandPullSettings,
  { landing, facts }: RewrittenPull,
): Rewritten {
  const { base, pull } = facts;
  const number = landing.pull ?? 0;
  const head = await replayed(parts, landing, base.tip);
  if (typeof head !== "string") return head;
  // Everything in it got onto the base branch some other way.
  if (head === base.tip) return { code: "no_changes" };
  // No runner is asked for what conflicts.
  if (isForRunner(facts)) {
    const had = await haveRebased(parts, settings, { landing, facts });
    return "head" in had && !("code" in had)
      ? record(parts, landing, { base: base.tip, head: had.head }, true)
      : had;
  }
  if (!(await parts.repo.isReplay(number, landing.asked, head, base.tip)))
    return { code: "not_replayed", why: `a second replay of ${pull.branch} gave other commits` };
  return record(parts, landing, { base: base.tip, head }, true);
}

/** Makes one commit of them, on the base branch as it is now. Nobody has approved that one yet. */
export async function squashPull(
  parts: LandPullParts,
  _: LandPullSettings,
  { landing, facts }: RewrittenPull,
): Rewritten {
  const { repo } = parts;
  const { base, told, authors } = facts;
  const isBehind = !(await repo.isAncestor(base.tip, landing.asked));
  const tip = isBehind ? await replayed(parts, landing, base.tip) : landing.asked;
  if (typeof tip !== "string") return tip;
  const { commits, total } = await repo.range({ base: base.tip, head: landing.asked });
  if (total === 1) return record(parts, landing, { base: base.tip, head: tip }, isBehind);
  const accounts = new Map(authors.map(({ sha, author }) => [sha, author]));
  const message = pullSquashMessage({
    ...{ title: told.title, host: new URL(told.url).host },
    commits: commits.map(({ sha, message: text, authorName: name, authorEmail: email }) => ({
      ...{ message: text, author: { name, email }, account: accounts.get(sha) ?? null },
    })),
  });
  const head = await repo.squash({ base: base.tip, head: tip }, message);
  return record(parts, landing, { base: base.tip, head }, isBehind);
}

/** From what was asked for, and so approved: a replay of a replay would have to be proven twice. */
async function replayed(
  { repo }: LandPullParts,
  landing: Landing,
  onto: string,
): Promise<string | PullRefusal> {
  const rebased = await repo.rebase(landing.pull ?? 0, landing.asked, onto);
  switch (rebased.kind) {
    case "conflict":
      return { code: "rebase_conflict", files: rebased.files };
    case "merges":
      return { code: "unsupported_change", findings: [landWords.merges()] };
    case "rebased":
      return rebased.head;
  }
}

/** On record before it is pushed: whoever takes it up after a crash goes on with it. */
async function record(
  { ledger }: LandPullParts,
  landing: Landing,
  { base, head }: Candidate,
  moved: boolean,
): Promise<Landing> {
  const data = { request: landing.id, base, head, moved };
  await ledger.observe([{ type: "land.rebased", bead: landing.bead, data }]);
  await ledger.share("now");
  return { ...landing, base, head, moves: landing.moves + Number(moved) };
}
