import type { JsonObject } from "../http/json.js";
import type { StoredReaction } from "../world/state.js";
import type { World } from "../world/world.js";
import { nodeId, renderUser } from "./user.js";

export const REACTIONS = [
  "+1",
  "-1",
  "laugh",
  "confused",
  "heart",
  "hooray",
  "rocket",
  "eyes",
] as const satisfies readonly StoredReaction["content"][];

export function renderReaction(world: World, reaction: StoredReaction): JsonObject {
  return {
    id: reaction.id,
    node_id: nodeId("Reaction", reaction.id),
    user: renderUser(world, reaction.user),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}

/** The counts that stand on everything one can react to; `subject` is its address. */
export function renderRollup(subject: string, reactions: readonly StoredReaction[]): JsonObject {
  const counts = REACTIONS.map((content) => [
    content,
    reactions.filter((reaction) => reaction.content === content).length,
  ]);
  return {
    url: `${subject}/reactions`,
    total_count: reactions.length,
    ...(Object.fromEntries(counts) as Record<string, number>),
  };
}
