import { listShas } from "../../git/world-commits.js";
import { gitBytes, isAncestor, tryGit } from "../../git/world-git.js";
import type { JsonObject } from "../../http/json.js";
import { type PullIssue, renderPull } from "../../render/pull.js";
import { fullName } from "../../render/repository.js";
import type { Issue, Repository } from "../state.js";
import type { World } from "../world.js";
import { followComments } from "./follow-comments.js";
import { followReviews } from "./follow-reviews.js";

export function isPull(issue: Issue): issue is PullIssue {
  return issue.pull !== null;
}

/** Looks at the open pulls that have a branch of this repository as head or base, and changes what git has changed. */
export async function settlePulls(world: World, moved: Repository, pusher: string): Promise<void> {
  const name = fullName(moved).toLowerCase();
  const open = world.state.repositories.flatMap((repository) =>
    repository.issues
      .filter(isPull)
      .filter(({ state }) => state === "open")
      .filter(({ pull }) => repository === moved || pull.headRepository.toLowerCase() === name)
      .map((issue) => ({ repository, issue, pusher })),
  );
  if (open.length === 0) return;
  const observations = makeObservations(world);
  for (const settling of open) await settlePull(world, settling, observations);
}

interface Settling {
  readonly repository: Repository;
  readonly issue: PullIssue;
  readonly pusher: string;
}

interface Observations {
  /** The commit of a branch; null when there is none. */
  branch(repository: Repository | null, name: string): Promise<string | null>;
  /** Whether a commit is in the newer one's history, and not in the older one's. */
  arrived(repository: Repository, commit: string, range: { older: string; newer: string }): Promise<boolean>;
}

/** Asks git once about all branches, and once about every move of a base: many pulls share one. */
function makeObservations(world: World): Observations {
  const branches = new Map<Repository, Promise<Map<string, string>>>();
  const arrivals = new Map<string, Promise<Set<string>>>();
  const list = async (repository: Repository) => {
    const format = "--format=%(objectname) %(refname:lstrip=2)";
    const lines = (await world.git(repository, ["for-each-ref", format, "refs/heads/"]))
      .trimEnd()
      .split("\n");
    return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
  };
  return {
    branch: async (repository, name) => {
      if (repository === null) return null;
      const listed = branches.get(repository) ?? list(repository);
      branches.set(repository, listed);
      return (await listed).get(name) ?? null;
    },
    arrived: async (repository, commit, { older, newer }) => {
      const key = `${repository.id} ${older} ${newer}`;
      const listed =
        arrivals.get(key) ??
        listShas(world, repository, [`${older}..${newer}`]).then((shas) => new Set(shas));
      arrivals.set(key, listed);
      return (await listed).has(commit);
    },
  };
}

/** A head that was in its base already when the base moved has merged nothing. */
async function settlePull(world: World, settling: Settling, observations: Observations): Promise<void> {
  const { repository, issue, pusher } = settling;
  const { pull } = issue;
  const before = pull.headSha;
  const pushed = await observations.branch(world.repository(pull.headRepository), pull.headRef);
  const base = await observations.branch(repository, pull.baseRef);
  if (world.switches.holdHeads && pushed !== before) pull.late = true;
  const head = world.switches.holdHeads ? before : pushed;
  if (head !== null && head !== before) await takeHead(world, settling, head);
  if (base !== null && base !== pull.baseSha) {
    if (await observations.arrived(repository, pull.headSha, { older: pull.baseSha, newer: base })) {
      if (world.switches.holdMerges) return;
      pull.merged = { at: world.timestamp(), by: pusher, commit: pull.headSha };
      return settleClosed(world, settling, ["merged", "closed"]);
    }
    pull.baseSha = base;
  }
  // GitHub looks at a base when it moves. If the head came too late for that, nothing looks again.
  if (pull.late && !world.switches.holdHeads) return void delete pull.late;
  const empty = pull.headSha !== before && (await isAncestor(repository, [pull.headSha, pull.baseSha]));
  // A branch that is gone, or has nothing to bring in any more, ends its pull.
  if (head === null || base === null || empty) await settleClosed(world, settling, ["closed"]);
}

async function takeHead(world: World, settling: Settling, head: string): Promise<void> {
  const { repository, issue, pusher } = settling;
  const before = issue.pull.headSha;
  await followHead(world, repository, issue, head);
  issue.updatedAt = world.timestamp();
  await followComments(world, repository, issue, before);
  await tellPull(world, settling, { action: "synchronize", extra: { before, after: head } });
  await followReviews({ world, repository, issue }, { login: pusher, app: null }, before);
}

/** Takes over the head's commits: a fork's are in another repository. */
export async function followHead(world: World, repository: Repository, issue: PullIssue, head: string) {
  const { pull, number } = issue;
  const from = world.repository(pull.headRepository);
  const ref = `refs/pull/${number}/head`;
  if (from !== null && from !== repository)
    await gitBytes(repository, [
      "fetch",
      "--quiet",
      "--no-tags",
      from.gitDir,
      `+refs/heads/${pull.headRef}:${ref}`,
    ]);
  await tryGit(repository.gitDir, ["update-ref", ref, head]);
  pull.headSha = head;
}

/** Ends a pull request: `events` are what its history says, in order. */
export async function settleClosed(
  world: World,
  settling: Settling,
  events: readonly string[],
): Promise<void> {
  const { issue, pusher } = settling;
  issue.state = "closed";
  issue.closedAt = world.timestamp();
  issue.closedBy = pusher;
  issue.updatedAt = issue.closedAt;
  for (const event of events)
    issue.events.push({
      id: world.newId(),
      event,
      actor: pusher,
      createdAt: issue.closedAt,
      viaApp: null,
      detail: event === "merged" ? { commit_id: issue.pull.merged?.commit ?? null } : {},
    });
  await tellPull(world, settling, { action: "closed" });
}

/** A `pull_request` event. */
export async function tellPull(
  world: World,
  { repository, issue, pusher }: Settling,
  { action, extra = {} }: { readonly action: string; readonly extra?: JsonObject },
): Promise<void> {
  if (!world.heard("pull_request", repository)) return;
  const payload = {
    number: issue.number,
    pull_request: await renderPull(world, repository, issue),
    ...extra,
  };
  world.tell({ event: "pull_request", action, repository, sender: pusher, payload });
}
