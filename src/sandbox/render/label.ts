import type { JsonObject } from "../http/json.js";
import type { Issue, Label, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { repositoryUrl } from "./repository.js";
import { nodeId } from "./user.js";

export function renderLabel(world: World, repository: Repository, label: Label): JsonObject {
  return {
    id: label.id,
    node_id: nodeId("Label", label.id),
    url: `${repositoryUrl(world, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    description: label.description,
    color: label.color,
    default: false,
  };
}

export function labelNamed(repository: Repository, name: string): Label | null {
  return repository.labels.find((label) => label.name.toLowerCase() === name.toLowerCase()) ?? null;
}

export function labelsOf(repository: Repository, issue: Issue): Label[] {
  return issue.labels.flatMap((name) => labelNamed(repository, name) ?? []);
}

export function renderLabels(world: World, repository: Repository, issue: Issue): JsonObject[] {
  return labelsOf(repository, issue).map((label) => renderLabel(world, repository, label));
}
