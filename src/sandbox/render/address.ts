import type { Issue, Repository } from "../world/state.js";
import type { World } from "../world/world.js";

export function pageAddress(world: World, { owner, name }: Repository): string {
  return `${world.url}/${owner}/${name}`;
}

/** Where a person reads an issue or pull. */
export function threadAddress(world: World, repository: Repository, issue: Issue): string {
  return `${pageAddress(world, repository)}/${issue.pull === null ? "issues" : "pull"}/${issue.number}`;
}
