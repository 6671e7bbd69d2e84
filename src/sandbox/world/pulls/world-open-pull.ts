import { isAncestor } from "../../git/world-git.js";
import { HttpRefusal } from "../../http/route.js";
import type { PullIssue } from "../../render/pull.js";
import { fullName } from "../../render/repository.js";
import type { Repository } from "../state.js";
import type { World } from "../world.js";
import { followHead, isPull, tellPull } from "./world-pulls.js";

export interface NewPull {
  readonly author: string;
  /** A branch, or `owner:branch` for one of a fork. */
  readonly head: string;
  readonly base?: string;
  readonly title: string;
  readonly body?: string;
  readonly draft?: boolean;
}

/** Opens a pull request, or throws what GitHub answers. */
export async function openPull(world: World, repository: Repository, wanted: NewPull): Promise<PullIssue> {
  const { headRepository, headRef } = headOf(world, repository, wanted.head);
  const baseRef = wanted.base ?? repository.defaultBranch;
  const head = await world.resolve(headRepository, `refs/heads/${headRef}`);
  const base = await world.resolve(repository, `refs/heads/${baseRef}`);
  if (head === null) throw invalid("head");
  if (base === null) throw invalid("base");
  const twin = repository.issues
    .filter(isPull)
    .find(
      ({ state, pull }) =>
        state === "open" &&
        pull.baseRef === baseRef &&
        pull.headRef === headRef &&
        pull.headRepository === fullName(headRepository),
    );
  if (twin !== undefined)
    throw refused(`A pull request already exists for ${headRepository.owner}:${headRef}.`);
  const issue = newIssue(world, repository, wanted, {
    headRepository: fullName(headRepository),
    ...{ headRef, baseRef, headSha: head, baseSha: base },
  });
  await followHead(world, repository, issue, head);
  if (await isAncestor(repository, [head, base]))
    throw refused(`No commits between ${baseRef} and ${headRef}`);
  repository.issues.push(issue);
  await tellPull(world, { repository, issue, pusher: wanted.author }, { action: "opened" });
  return issue;
}

function headOf(world: World, repository: Repository, head: string) {
  const [owner, ref] = head.includes(":") ? head.split(/:(.*)/s) : [repository.owner, head];
  if (owner?.toLowerCase() === repository.owner.toLowerCase())
    return { headRepository: repository, headRef: ref ?? "" };
  const fork = world.state.repositories.find(
    (each) => each.owner === owner && each.forkOf?.toLowerCase() === fullName(repository).toLowerCase(),
  );
  if (fork === undefined) throw invalid("head");
  return { headRepository: fork, headRef: ref ?? "" };
}

function newIssue(
  world: World,
  repository: Repository,
  { author, title, body = "", draft = false }: NewPull,
  sides: Pick<PullIssue["pull"], "headRepository" | "headRef" | "baseRef" | "headSha" | "baseSha">,
): PullIssue {
  if (title === "") throw refused("title is missing");
  const at = world.timestamp();
  return {
    id: world.newId(),
    number: Math.max(0, ...repository.issues.map((issue) => issue.number)) + 1,
    ...{ title, body, author, createdAt: at, updatedAt: at },
    ...{ state: "open", stateReason: null, locked: false, closedAt: null, closedBy: null },
    ...{ labels: [], assignees: [], comments: [], reactions: [], events: [], subIssues: [], blockedBy: [] },
    pull: { ...sides, draft, merged: null, requestedReviewers: [] },
  };
}

function invalid(field: string): HttpRefusal {
  return new HttpRefusal(422, "Validation Failed", [{ resource: "PullRequest", field, code: "invalid" }]);
}

function refused(message: string): HttpRefusal {
  return new HttpRefusal(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);
}
