import { tryGit } from "../../git/world-git.js";
import { type PullIssue, pullChanges } from "../../render/pull.js";
import type { Repository, ReviewComment } from "../state.js";
import type { World } from "../world.js";
import { readAnchors } from "./review-anchor.js";

/** Moves comments on lines along with a new head. One whose lines have changed, or left the diff, is outdated for good. */
export async function followComments(
  world: World,
  repository: Repository,
  issue: PullIssue,
  before: string,
): Promise<void> {
  const comments = repository.reviewComments.filter(({ pull, now }) => pull === issue.number && now !== null);
  if (comments.length === 0) return;
  const { baseSha, headSha } = issue.pull;
  const changes = await pullChanges(world, repository, issue.pull);
  const diffs = makeDiffs(repository);
  const [forkBefore, forkAfter] = await Promise.all([
    forkPoint(repository, [baseSha, before]),
    forkPoint(repository, [baseSha, headSha]),
  ]);
  for (const comment of comments) {
    const file = changes.find(({ path }) => path === comment.path);
    const range = comment.side === "LEFT" ? [forkBefore, forkAfter] : [commentPlace(comment).commit, headSha];
    const diff = await diffs(comment.path, range[0] ?? "", range[1] ?? "");
    comment.now =
      file === undefined ? null : moved(comment, { diff, patch: file.patch ?? "", commit: headSha });
  }
}

/** Where a comment stands now, or stood last. */
export function commentPlace(comment: ReviewComment): NonNullable<ReviewComment["now"]> {
  const { commit, line, startLine, position = null } = comment;
  return comment.now ?? { commit, line, startLine, position };
}

function moved(
  comment: ReviewComment,
  { diff, patch, commit }: { readonly diff: string; readonly patch: string; readonly commit: string },
): NonNullable<ReviewComment["now"]> | null {
  const place = commentPlace(comment);
  if (comment.subject === "file" || place.line === null) return { ...place, commit };
  const line = mapLine(diff, place.line);
  const startLine = place.startLine === null ? null : mapLine(diff, place.startLine);
  const anchor = readAnchors(patch).find((each) => each.line === line && each.side === comment.side);
  const lostStart = place.startLine !== null && startLine === null;
  return anchor === undefined || line === null || lostStart
    ? null
    : { commit, line, startLine, position: anchor.position };
}

/** The number a line has after a diff without context; null when the diff touches the line. */
export function mapLine(diff: string, line: number): number | null {
  let shift = 0;
  for (const [, start, count = "1", , added = "1"] of diff.matchAll(
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm,
  )) {
    const first = Number(start);
    const length = Number(count);
    // What is only added stands behind the line that is named.
    if (length === 0 ? line <= first : line < first) break;
    if (length > 0 && line < first + length) return null;
    shift += Number(added) - length;
  }
  return line + shift;
}

function makeDiffs({ gitDir }: Repository): (path: string, from: string, to: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (path, from, to) => {
    const key = `${from} ${to} ${path}`;
    const args = ["diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", from, to, "--", path];
    const diff = known.get(key) ?? tryGit(gitDir, args).then(({ stdout }) => stdout.toString());
    known.set(key, diff);
    return diff;
  };
}

async function forkPoint({ gitDir }: Repository, [base, head]: readonly [string, string]): Promise<string> {
  const { stdout } = await tryGit(gitDir, ["merge-base", base, head]);
  return stdout.toString().trim().split("\n")[0] || base;
}
