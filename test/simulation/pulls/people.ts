import type { Role } from "../../../src/core/commands/roles.js";
import { forge, postForeign, postForeignCheck } from "./cheats.js";
import { type Account, BOT, type HubPull, type HubReview } from "./hub.js";
import type { PullWorld } from "./pull-world.js";

const account = (id: number, login: string, role: Role): Account => ({ id, login, role });

/** Sits at the terminals, and asks for landings in comments. */
export const OPERATOR: Account = account(1, "ops", "admin");

export interface People {
  /** As GitHub knows them. */
  readonly all: readonly Account[];
  readonly writers: readonly Account[];
  readonly reviewers: readonly Account[];
  /** Those who have had no hand in anything: in the end they approve what is left. */
  readonly fresh: readonly Account[];
}

export function makePeople(): People {
  const writers = [account(10, "ann", "write"), account(11, "bob", "write"), account(12, "cid", "maintain")];
  const reviewers = [account(20, "rae", "write"), account(21, "sam", "admin")];
  const fresh = [account(40, "uma", "write"), account(41, "vic", "maintain")];
  const stranger = account(30, "tom", "read");
  return { all: [OPERATOR, ...writers, ...reviewers, stranger, ...fresh, BOT], writers, reviewers, fresh };
}

type Act = readonly [weight: number, act: (world: PullWorld, pull: HubPull) => string];

/** What people, their CI and strangers do to one pull request, and how often. Each says what it was. */
const ACTS: readonly Act[] = [
  [16, bringToLanding],
  [8, approveByComment],
  [5, approveByReview],
  [3, requestChanges],
  [4, settleObjection],
  [10, askToLand],
  [4, pushMore],
  [3, forcePush],
  [6, runChecks],
  [3, postForeignCheck],
  [3, approveAndPushBack],
  [2, takeBack],
  [2, changeRole],
  [2, dismiss],
  [2, toggle],
  [2, hold],
  [1, mergeByButton],
];

const TOTAL = ACTS.reduce((sum, [weight]) => sum + weight, 0);

export function somebodyActs(world: PullWorld): string {
  const { chance, hub } = world;
  const open = hub.pulls.filter(({ state }) => state === "open");
  if (hub.pulls.length < 3 || (open.length < 5 && chance.percent(12))) return openPull(world);
  if (chance.percent(7)) return moveBase(world);
  if (chance.percent(4)) return forge(world);
  const pull = open.length > 0 && chance.percent(95) ? chance.pick(open) : chance.pick(hub.pulls);
  let at = chance.below(TOTAL);
  for (const [weight, act] of ACTS) {
    at -= weight;
    if (at < 0) return `#${pull.number}: ${act(world, pull)}`;
  }
  return "";
}

function openPull(world: PullWorld): string {
  const { chance, hub, origin, people } = world;
  const number = hub.pulls.length + 1;
  const own = chance.percent(40);
  const author = own ? BOT : chance.pick(people.writers);
  const branch = own ? `agent/b-${number}` : `topic-${number}`;
  const below = hub.pulls.filter(({ state, into }) => state === "open" && into === "main");
  const stacked = below.length > 0 && chance.percent(20) ? hub.tipOf(chance.pick(below)) : "";
  // Whoever opens a pull request need not have made its commits.
  const maker = chance.percent(40) ? chance.pick([...people.writers, BOT]) : author;
  const head = world.commits(stacked === "" ? origin.tip : stacked, maker, 1 + chance.below(3));
  hub.push(branch, head, maker);
  const pull = hub.open({ branch, author, fork: !own && chance.percent(25) });
  return `${author.login} opens #${pull.number} with ${head}${pull.fork ? " from a fork" : ""}`;
}

function anybody({ chance, people }: PullWorld): Account {
  return chance.pick(people.all.filter((each) => each !== BOT && !people.fresh.includes(each)));
}

function approveByComment(world: PullWorld, pull: HubPull): string {
  const by = anybody(world);
  const head = world.chance.percent(80) ? pull.shown : world.earlierHead(pull);
  const sha = world.chance.percent(50) ? ` ${head.slice(0, 12)}` : "";
  world.hearComment(world.hub.say(pull.number, by, `/koryph approve${sha}`));
  return `${by.login} comments approve${sha}`;
}

function approveByReview(world: PullWorld, pull: HubPull): string {
  const by = anybody(world);
  world.hearReview(world.hub.review(pull, by, "approved"), "approved");
  return `${by.login} approves ${pull.shown} in a review`;
}

/** GitHub lets nobody review what they opened. */
function requestChanges(world: PullWorld, pull: HubPull): string {
  const by = world.chance.percent(60) ? world.chance.pick(world.people.reviewers) : anybody(world);
  if (by === pull.author) return "nothing";
  world.hearReview(world.hub.review(pull, by, "changes-requested"), "changes-requested");
  return `${by.login} asks for changes`;
}

/** Whoever asked for changes approves after all, here or there, or the request is dismissed. */
function settleObjection(world: PullWorld, pull: HubPull): string {
  const { chance, hub } = world;
  const open = hub.reviews.filter((each) => each.pull === pull.number && each.state === "changes-requested");
  if (open.length === 0) return "nothing";
  const review = chance.pick(open);
  const { by } = review;
  const how = chance.below(3);
  if (how === 0) return dismissed(world, review);
  if (how === 1) world.hearReview(hub.review(pull, by, "approved"), "approved");
  else world.hearComment(hub.say(pull.number, by, "/koryph approve"));
  return `${by.login}, who asked for changes, approves ${how === 1 ? "in a review" : "by a comment"}`;
}

function askToLand(world: PullWorld, pull: HubPull): string {
  const by = world.chance.percent(70) ? OPERATOR : anybody(world);
  const sha = world.chance.percent(40) ? ` ${pull.shown.slice(0, 12)}` : "";
  if (world.chance.percent(30)) return world.startTerminal(pull.number);
  world.hearComment(world.hub.say(pull.number, by, `/koryph land${sha}`));
  return `${by.login} comments land${sha}`;
}

/** Everything that a landing needs in one go, or nearly: the rules are met where little is missing. */
function bringToLanding(world: PullWorld, pull: HubPull): string {
  const { chance, hub, people } = world;
  const head = hub.tipOf(pull);
  if (pull.state !== "open" || head === "") return "nothing";
  if (chance.percent(65)) world.runChecks(head, "success");
  else for (const { name } of world.required) postForeign(world, head, name);
  const [rae = BOT, sam = BOT] = people.reviewers;
  const pusher = hub.pushes.findLast(({ branch }) => branch === pull.branch)?.actor ?? BOT;
  const stranger = people.all.find(({ role }) => role === "read") ?? BOT;
  const alone = chance.pick([pull.author, pusher, OPERATOR, stranger]);
  const by = chance.percent(60) ? [rae, sam] : [alone, alone === pusher ? pull.author : pusher];
  for (const person of by.filter((each) => each !== BOT))
    if (chance.percent(40)) world.hearReview(hub.review(pull, person, "approved"), "approved");
    else
      world.hearComment(
        hub.say(pull.number, person, `/koryph approve${chance.pick(["", ` ${head.slice(0, 12)}`])}`),
      );
  const spoil = chance.pick([
    ...[null, null, forcePush, forcePush, takeBack, dismiss, pushMore, changeRole],
    ...[requestChanges, requestChanges],
  ]);
  const early = spoil !== null && chance.percent(50) ? `${spoil(world, pull)}, ` : "";
  askToLand(world, pull);
  return `${early}is brought to its landing${spoil !== null && early === "" ? `, ${spoil(world, pull)}` : ""}`;
}

function pushMore(world: PullWorld, pull: HubPull): string {
  const by = world.chance.pick([...world.people.writers, ...world.people.reviewers]);
  const tip = world.hub.tipOf(pull);
  if (tip === "" || pull.state !== "open") return "nothing";
  const head = world.commits(tip, by, 1);
  world.hub.push(pull.branch, head, by);
  return `${by.login} pushes ${head}`;
}

/** Back to an earlier head, rebased by hand, or other work under the same authors and messages. */
function forcePush(world: PullWorld, pull: HubPull): string {
  const { chance, hub, origin, people } = world;
  const { history } = origin;
  const by = chance.pick(people.writers);
  const tip = hub.tipOf(pull);
  if (tip === "" || pull.state !== "open") return "nothing";
  const own = history.since(tip, origin.tip);
  const heads: (() => string)[] = [
    () => world.earlierHead(pull),
    () => history.replay(own, origin.tip, { signed: true }),
    () => {
      let head = own[0]?.parent ?? origin.tip;
      for (const { sha, depth, ...commit } of own)
        head = history.add({ ...commit, parent: head, works: [history.nextWork()] });
      return head;
    },
  ];
  const head = chance.pick(heads)();
  hub.push(pull.branch, head, by);
  return `${by.login} forces ${head}`;
}

/** Somebody approves, another pushes over it, and whoever approved puts the approved commits back by their own hand. */
function approveAndPushBack(world: PullWorld, pull: HubPull): string {
  const { chance, hub, origin, people } = world;
  const head = hub.tipOf(pull);
  if (pull.state !== "open" || head === "" || origin.has(head)) return "nothing";
  const by = chance.pick(people.reviewers);
  const other = chance.pick(people.writers);
  const parent = origin.history.get(head).parent ?? origin.tip;
  world.hearComment(hub.say(pull.number, by, `/koryph approve ${head.slice(0, 12)}`));
  world.later(10_000, () => {
    if (hub.tipOf(pull) === head) hub.push(pull.branch, world.commits(parent, other, 1), other);
  });
  world.later(12_000, () => {
    hub.push(pull.branch, head, by);
    world.runChecks(head, "success");
    askToLand(world, pull);
  });
  return `${by.login} approves ${head}, and will push it back over ${other.login}'s`;
}

/** A run of this head's own workflow begins, or ends. */
function runChecks(world: PullWorld, pull: HubPull): string {
  const head = world.hub.tipOf(pull);
  if (head === "") return "nothing";
  world.runChecks(head, world.chance.pick(["success", "success", "success", "failure", null]));
  return `checks run on ${head}`;
}

/** Somebody edits or deletes what they wrote. */
function takeBack(world: PullWorld, pull: HubPull): string {
  const own = world.hub.comments.filter((each) => each.pull === pull.number && each.body !== null);
  if (own.length === 0) return "nothing";
  const comment = world.chance.pick(own);
  comment.body = world.chance.percent(50) ? null : "never mind";
  world.hub.onChange();
  return `${comment.by.login} takes back comment ${comment.id}`;
}

function dismiss(world: PullWorld, pull: HubPull): string {
  const own = world.hub.reviews.filter((each) => each.pull === pull.number && each.state !== "dismissed");
  return own.length === 0 ? "nothing" : dismissed(world, world.chance.pick(own));
}

function dismissed(world: PullWorld, review: HubReview): string {
  world.hub.dismiss(review);
  world.hearReview(review, "dismissed");
  return `the review ${review.id} is dismissed`;
}

function changeRole(world: PullWorld): string {
  const person = world.chance.pick([...world.people.writers, ...world.people.reviewers]);
  person.role = person.role === "read" ? "write" : "read";
  world.hub.onChange();
  return `${person.login} has the role ${person.role} now`;
}

/** A draft and back, closed and open again, another base and back. */
function toggle(world: PullWorld, pull: HubPull): string {
  if (pull.merged !== null) return "nothing";
  const what = world.chance.below(3);
  if (what === 0) pull.draft = !pull.draft;
  else if (what === 1) pull.into = pull.into === "main" ? "dev" : "main";
  else {
    pull.state = pull.state === "open" ? "closed" : "open";
    if (pull.state === "open" && world.hub.tipOf(pull) !== "") pull.shown = world.hub.tipOf(pull);
  }
  world.hub.onChange();
  return `is ${pull.state}${pull.draft ? ", a draft" : ""}, into ${pull.into}`;
}

function hold(world: PullWorld, pull: HubPull): string {
  const verb = world.chance.pick(["hold", "unhold", "unhold"]);
  const words = verb === "hold" ? `/koryph hold "not now"` : "/koryph unhold";
  world.hearComment(world.hub.say(pull.number, OPERATOR, words));
  return `somebody comments ${verb}`;
}

/** GitHub's own button, which replays the commits or makes one of them. */
function mergeByButton(world: PullWorld, pull: HubPull): string {
  const { hub, origin } = world;
  const tip = hub.tipOf(pull);
  if (pull.state !== "open" || tip === "" || pull.into !== "main") return "nothing";
  const commit = origin.history.replay(origin.history.since(tip, origin.tip), origin.tip);
  if (commit === origin.tip) return "nothing";
  hub.close(pull, { commit });
  hub.moveBase(commit);
  return `is merged by the button as ${commit}`;
}

/** Others push to the base branch, or take commits back from it. */
function moveBase(world: PullWorld): string {
  const { chance, hub, origin } = world;
  const { history } = origin;
  if (chance.percent(80) || origin.tip === history.root) {
    hub.moveBase(history.addOutside(origin.tip));
    return `somebody pushes ${origin.tip} to main`;
  }
  hub.moveBase(history.get(origin.tip).parent ?? history.root);
  return `somebody takes main back to ${origin.tip}`;
}
