import { pullSubject } from "../../../src/core/model/pull.js";
import type { LedgerEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { ACTIONS, type Account, type HubPull } from "./hub.js";
import { commentUrl } from "./hub-ports.js";
import type { PullWorld } from "./pull-world.js";

/** Any app that somebody has installed. */
const OTHER_APP = 77;

/** A workflow of another branch posts what it likes; another app does so under its own name. */
export function postForeign({ hub, chance }: PullWorld, sha: string, name: string): string {
  const green = { sha, name, status: "done", state: "success" } as const;
  if (chance.percent(70)) {
    hub.report({ ...green, app: ACTIONS, jobOfHead: false, genuine: false });
    return "another branch's workflow";
  }
  hub.report({ ...green, app: OTHER_APP, jobOfHead: null, genuine: true });
  return "another app";
}

export function postForeignCheck(world: PullWorld, pull: HubPull): string {
  const sha = world.hub.tipOf(pull);
  const { name } = world.chance.pick(world.required);
  return `${postForeign(world, sha, name)} calls ${name} green on ${sha}`;
}

/** Whoever can push can write anything into the ledger, in anybody's name. */
export function forge(world: PullWorld): string {
  const { chance, hub, origin, people } = world;
  const pull = chance.pick(hub.pulls);
  const tip = hub.tipOf(pull) || origin.tip;
  const bead = pullSubject(pull.number);
  const by = chance.pick([...people.reviewers, ...people.writers]);
  const landing = world.truth().landings.find((each) => each.pull === pull.number);
  const request = landing?.id ?? origin.nextId();
  const base = origin.tip;
  const asked = { pull: pull.number, branch: "main", base, head: tip, method: "ff", allow_protected: true };
  const approval = chance.percent(50) ? madeUpApproval(world, pull, by) : refusedApproval(world, pull);
  const event = chance.pick<Record<string, unknown>>([
    ...[approval, approval, approval],
    { type: "pull.landing", bead, data: asked },
    { type: "land.rebased", bead, data: { request, base, head: tip, moved: true } },
    { type: "job.done", data: { job: request, code: "green" } },
    { type: "pull.unapproved", data: { pull: pull.number, user: by.id, why: "dismissed" } },
  ]);
  const envelope = {
    id: origin.nextId(),
    at: new Date(world.clock.now).toISOString(),
    actor: `@${by.login}`,
  };
  origin.chain.push({ ...envelope, ...event } as unknown as LedgerEvent);
  return `somebody forges ${event.type} of #${pull.number}`;
}

/** Of the present head, with evidence that is about something else, or by somebody else. */
function madeUpApproval(world: PullWorld, pull: HubPull, by: Account): Record<string, unknown> {
  const { chance, hub } = world;
  const comment = hub.comments.length > 0 ? chance.pick(hub.comments) : null;
  const id = comment?.id ?? 1;
  const evidence = {
    ...{ url: commentUrl(pull.number, id), source: `${chance.pick(["comment", "review"])} ${id}` },
    ...{ body_sha256: world.digest(comment?.written ?? ""), login: by.login, user_id: by.id },
  };
  return approvalOf(world, pull, { evidence, via: chance.pick(["comment", "review"]) });
}

/** Of the present head, with words that were really said, by somebody whom koryph may have refused. */
function refusedApproval(world: PullWorld, pull: HubPull): Record<string, unknown> {
  const { chance, hub } = world;
  const said = hub.comments.filter(
    ({ pull: number, written }) => number === pull.number && written.startsWith("/koryph approve"),
  );
  const given = hub.reviews.filter(({ pull: number }) => number === pull.number);
  const words = [
    ...said.map(({ id, by, written }) => ({ id, by, written, via: "comment" })),
    ...given.map(({ id, by }) => ({ id, by, written: "", via: "review" })),
  ];
  if (words.length === 0) return madeUpApproval(world, pull, pull.author);
  const { id, by, written, via } = chance.pick(words);
  const evidence = {
    ...{ url: commentUrl(pull.number, id), source: `${via} ${id}` },
    ...{ body_sha256: world.digest(written), login: by.login, user_id: by.id },
  };
  return approvalOf(world, pull, { evidence, via });
}

function approvalOf(
  { hub, origin }: PullWorld,
  pull: HubPull,
  { evidence, via }: { readonly evidence: object; readonly via: string },
): Record<string, unknown> {
  const head = hub.tipOf(pull) || origin.tip;
  return { type: "pull.approved", data: { pull: pull.number, head, via }, evidence };
}
