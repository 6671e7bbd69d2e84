import { type Answer, type Call, HttpRefusal, listAnswer, type Route } from "../http/route.js";
import { parentOf, renderIssue } from "../render/issue.js";
import { authorOf, numberOf, threadOf } from "../world/said.js";
import type { Issue } from "../world/state.js";
import { recordEvent, type ThreadPlace } from "../world/thread-changes.js";

const READ = { issues: "read" } as const;
const WRITE = { issues: "write" } as const;
const BLOCKED_BY = "/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by";

export const subIssueRoutes: readonly Route[] = [
  {
    operation: "issues/list-sub-issues",
    method: "GET",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/sub_issues",
    needs: READ,
    answer: (call) => listNumbered(call, threadOf(call).issue.subIssues),
  },
  {
    operation: "issues/add-sub-issue",
    method: "POST",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/sub_issues",
    needs: WRITE,
    role: "triage",
    answer: addSubIssue,
  },
  {
    operation: "issues/remove-sub-issue",
    method: "DELETE",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/sub_issue",
    needs: WRITE,
    role: "triage",
    answer: (call) => {
      const thread = threadOf(call);
      const child = issueWithId(thread, numberOf(call.body.sub_issue_id));
      if (!thread.issue.subIssues.includes(child.number)) throw new HttpRefusal(404, "Not Found");
      dropSubIssue(call, thread, child);
      return answerIssue(200, thread, thread.issue);
    },
  },
  {
    operation: "issues/list-dependencies-blocked-by",
    method: "GET",
    path: BLOCKED_BY,
    needs: READ,
    answer: (call) => listNumbered(call, threadOf(call).issue.blockedBy),
  },
  {
    operation: "issues/add-blocked-by-dependency",
    method: "POST",
    path: BLOCKED_BY,
    needs: WRITE,
    role: "triage",
    answer: addBlocker,
  },
  {
    operation: "issues/remove-dependency-blocked-by",
    method: "DELETE",
    path: `${BLOCKED_BY}/{issue_id}`,
    needs: WRITE,
    role: "triage",
    answer: (call) => {
      const thread = threadOf(call);
      const blocker = issueWithId(thread, Number(call.params.issue_id));
      const { issue } = thread;
      if (!issue.blockedBy.includes(blocker.number)) throw new HttpRefusal(404, "Not Found");
      issue.blockedBy = issue.blockedBy.filter((number) => number !== blocker.number);
      recordPair(call, thread, blocker, ["blocked_by_removed", "blocking_removed"]);
      return answerIssue(200, thread, blocker);
    },
  },
];

function answerIssue(status: number, { world, repository }: ThreadPlace, issue: Issue): Answer {
  return { status, body: renderIssue(world, repository, issue) };
}

function listNumbered(call: Call, numbers: readonly number[]): Answer {
  const { world, repository } = threadOf(call);
  const found = numbers.map((number) => renderIssue(world, repository, world.issue(repository, number)));
  return listAnswer(call, found);
}

/** These operations name the other issue by its id, not by its number. */
function issueWithId({ repository }: ThreadPlace, id: number | null): Issue {
  const found = repository.issues.find((issue) => issue.id === id);
  if (found === undefined) throw new HttpRefusal(404, "Not Found");
  return found;
}

function addSubIssue(call: Call): Answer {
  const thread = threadOf(call);
  const { repository, issue } = thread;
  const child = issueWithId(thread, numberOf(call.body.sub_issue_id));
  if (reaches(thread, child, issue, "subIssues")) {
    throw unprocessable("Sub-issue cannot be its own parent, or a parent of its parent");
  }
  const parent = parentOf(repository, child);
  if (parent !== null) {
    if (call.body.replace_parent !== true) throw unprocessable("Sub-issue may only have one parent");
    dropSubIssue(call, { ...thread, issue: parent }, child);
  }
  issue.subIssues = [...issue.subIssues, child.number];
  recordPair(call, thread, child, ["sub_issue_added", "parent_issue_added"]);
  return answerIssue(201, thread, issue);
}

function dropSubIssue(call: Call, parent: ThreadPlace, child: Issue): void {
  parent.issue.subIssues = parent.issue.subIssues.filter((number) => number !== child.number);
  recordPair(call, parent, child, ["sub_issue_removed", "parent_issue_removed"]);
}

function addBlocker(call: Call): Answer {
  const thread = threadOf(call);
  const { issue } = thread;
  const blocker = issueWithId(thread, numberOf(call.body.issue_id));
  if (issue.blockedBy.includes(blocker.number)) throw unprocessable("Target issue has already been taken");
  if (reaches(thread, blocker, issue, "blockedBy"))
    throw unprocessable("Dependencies may not go in a circle");
  issue.blockedBy = [...issue.blockedBy, blocker.number];
  recordPair(call, thread, blocker, ["blocked_by_added", "blocking_added"]);
  return answerIssue(201, thread, blocker);
}

/** Whether one comes to an issue when following a relation from another; from itself, always. */
function reaches(
  { repository }: ThreadPlace,
  from: Issue,
  to: Issue,
  relation: "subIssues" | "blockedBy",
): boolean {
  const seen = new Set<number>();
  const open = [from.number];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (number === to.number) return true;
    if (seen.has(number)) continue;
    seen.add(number);
    open.push(...(repository.issues.find((issue) => issue.number === number)?.[relation] ?? []));
  }
  return false;
}

/** Both issues remember it, each from its side; the detail is the number of the other. */
function recordPair(
  call: Call,
  thread: ThreadPlace,
  other: Issue,
  [here, there]: readonly [string, string],
): void {
  const by = authorOf(call);
  recordEvent(thread, by, here, { [otherSide(here)]: other.number });
  recordEvent({ ...thread, issue: other }, by, there, { [otherSide(there)]: thread.issue.number });
}

/** `sub_issue_added` tells of a `sub_issue`. */
function otherSide(event: string): string {
  return event.slice(0, event.lastIndexOf("_"));
}

function unprocessable(message: string): HttpRefusal {
  return new HttpRefusal(422, message, [{ resource: "Issue", code: "custom", message }]);
}
