import { isAncestor } from "../../git/world-git.js";
import { HttpRefusal } from "../../http/route.js";
import { fullName } from "../../render/repository.js";
import type { PullThread } from "../thread-changes.js";
import { isPull } from "./world-pulls.js";

/** Throws what GitHub answers where a closed pull request cannot be opened again. */
export async function admitReopening({ world, repository, issue }: PullThread): Promise<void> {
  const { pull } = issue;
  if (pull.merged !== null) throw refused("state cannot be changed. The pull request was merged.");
  const from = world.repository(pull.headRepository);
  const head = from === null ? null : await world.resolve(from, `refs/heads/${pull.headRef}`);
  if (from === null || head === null)
    throw refused(`state cannot be changed. The ${pull.headRef} branch has been deleted.`);
  if (head !== pull.headSha && !(await isAncestor(from, [pull.headSha, head])))
    throw refused(`state cannot be changed. The ${pull.headRef} branch was force-pushed or recreated.`);
  const twin = repository.issues
    .filter(isPull)
    .some(
      ({ state, pull: other }) =>
        state === "open" &&
        other.headRef === pull.headRef &&
        other.baseRef === pull.baseRef &&
        other.headRepository === pull.headRepository,
    );
  if (twin)
    throw refused(
      `state cannot be changed. There is already an open pull request from ${fullName(from)}:${pull.headRef} to ${pull.baseRef}.`,
    );
}

function refused(message: string): HttpRefusal {
  return new HttpRefusal(422, "Validation Failed", [
    { resource: "PullRequest", code: "invalid", field: "state", message },
  ]);
}
