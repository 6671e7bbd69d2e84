import { expect } from "vitest";
import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { type AppWorld, REPOSITORY } from "./app-world.js";

/** A green check of a head, as any branch's workflow can post it. */
export async function postsCheck(world: AppWorld, head: string): Promise<void> {
  const answer = await fetch(`${world.sandbox.url}/repos/${REPOSITORY}/check-runs`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${world.sandbox.actionsToken(REPOSITORY)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ name: "test", head_sha: head, status: "completed", conclusion: "success" }),
  });
  expect(answer.status).toBe(201);
  await world.settled();
}

/** An approval that only the ledger has: walter says something else in the comment that it names. */
export async function forgedApproval(
  world: AppWorld,
  { pull, head }: { readonly pull: number; readonly head: string },
): Promise<NewEvent> {
  const id = await world.as("walter").says(pull, "looks fine to me");
  const walter = world.sandbox.world.user("walter")?.id ?? 0;
  const evidence = {
    ...{ url: "https://github.test", source: `comment ${id}`, body_sha256: "0".repeat(64) },
    ...{ login: "walter", user_id: walter },
  };
  return { type: "pull.approved", evidence, data: { pull, head, via: "comment" } };
}
