import { type Call, HttpRefusal, paged, type Route, repositoryOf } from "../http/route.js";
import { renderIssue } from "../render/issue.js";
import { authorOf, hasRole, maybeText, namesOf, saidText, textOf, threadOf } from "../world/said.js";
import type { Issue } from "../world/state.js";
import {
  changeLabels,
  recordEvent,
  setLabels,
  setState,
  type ThreadPlace,
  tellLabels,
  tellThread,
} from "../world/thread-changes.js";

const EITHER_READ = { issues: "read", pull_requests: "read" } as const;
const EITHER_WRITE = { issues: "write", pull_requests: "write" } as const;

export const issueRoutes: readonly Route[] = [
  {
    operation: "issues/list-for-repo",
    method: "GET",
    path: "/repos/{owner}/{repo}/issues",
    needs: EITHER_READ,
    answer: (call) => {
      const repository = repositoryOf(call);
      const found = sorted(call, repository.issues.filter(asked(call)));
      // Only what is on the page is written out: there may be thousands.
      const { items, lastPage } = paged(call, found);
      const body = items.map((issue) => renderIssue(call.world, repository, issue));
      return { status: 200, body, lastPage };
    },
  },
  {
    operation: "issues/create",
    method: "POST",
    path: "/repos/{owner}/{repo}/issues",
    needs: { issues: "write" },
    role: "read",
    answer: createIssue,
  },
  {
    operation: "issues/get",
    method: "GET",
    path: "/repos/{owner}/{repo}/issues/{issue_number}",
    needs: EITHER_READ,
    answer: (call) => answerIssue(200, threadOf(call)),
  },
  {
    operation: "issues/update",
    method: "PATCH",
    path: "/repos/{owner}/{repo}/issues/{issue_number}",
    needs: EITHER_WRITE,
    role: "read",
    answer: updateIssue,
  },
];

function answerIssue(status: number, { world, repository, issue }: ThreadPlace) {
  return { status, body: renderIssue(world, repository, issue) };
}

async function createIssue(call: Call) {
  const { world, body } = call;
  const repository = repositoryOf(call);
  const by = authorOf(call);
  const issue: Issue = {
    id: world.newId(),
    number: Math.max(0, ...repository.issues.map(({ number }) => number)) + 1,
    title: saidText(body.title, "Issue", "title"),
    body: maybeText(body.body, "Issue"),
    author: by.login,
    state: "open",
    stateReason: null,
    labels: [],
    assignees: namesOf(body.assignees) ?? [],
    locked: false,
    createdAt: world.timestamp(),
    updatedAt: world.timestamp(),
    closedAt: null,
    closedBy: null,
    comments: [],
    reactions: [],
    events: [],
    subIssues: [],
    blockedBy: [],
    pull: null,
  };
  repository.issues.push(issue);
  const thread: ThreadPlace = { world, repository, issue };
  // Labels given by somebody who may not set any are dropped without a word.
  const names = hasRole(call, thread, "triage") ? (namesOf(body.labels) ?? []) : [];
  if (hasRole(call, thread, "triage")) issue.type = textOf(body.type);
  const changes = changeLabels(thread, by, names);
  await tellThread(thread, by, "opened");
  await tellLabels(thread, by, changes);
  return answerIssue(201, thread);
}

async function updateIssue(call: Call) {
  const { body, world } = call;
  const thread = threadOf(call);
  const { issue } = thread;
  const by = authorOf(call);
  const triage = hasRole(call, thread, "triage");
  if (!triage && by.login !== issue.author) {
    throw new HttpRefusal(403, "Must have admin rights to Repository.");
  }
  const title = body.title === undefined ? issue.title : saidText(body.title, "Issue", "title");
  const text = body.body === undefined ? issue.body : maybeText(body.body, "Issue");
  if (title !== issue.title || text !== issue.body) {
    const changes = {
      ...(title === issue.title ? {} : { title: { from: issue.title } }),
      ...(text === issue.body ? {} : { body: { from: issue.body } }),
    };
    if (title !== issue.title)
      recordEvent(thread, by, "renamed", { rename: { from: issue.title, to: title } });
    if (text !== issue.body) {
      issue.editedAt = world.timestamp();
      issue.edits = [...(issue.edits ?? []), { editor: by.login, at: issue.editedAt }];
    }
    Object.assign(issue, { title, body: text, updatedAt: world.timestamp() });
    await tellThread(thread, by, "edited", { changes });
  }
  const labels = namesOf(body.labels);
  if (labels !== null && triage) await setLabels(thread, by, labels);
  if (body.type !== undefined && triage) issue.type = textOf(body.type);
  await changeState(call, thread);
  return answerIssue(200, thread);
}

async function changeState(call: Call, thread: ThreadPlace): Promise<void> {
  const state = textOf(call.body.state);
  if (state !== "open" && state !== "closed") return;
  const { issue } = thread;
  const reason = textOf(call.body.state_reason);
  if (state === "open" && issue.pull?.merged != null) {
    throw new HttpRefusal(422, "Validation Failed", [
      { resource: "Issue", field: "state", code: "invalid", message: "A merged pull request stays closed" },
    ]);
  }
  await setState(thread, authorOf(call), state, reason === "not_planned" ? reason : null);
}

/** Whether an issue fits what was asked for; open ones when nothing was said of the state. */
function asked({ query }: Call): (issue: Issue) => boolean {
  const state = query.get("state") ?? "open";
  const labels = (query.get("labels") ?? "").split(",").filter((name) => name !== "");
  const since = query.get("since");
  const creator = query.get("creator");
  const assignee = query.get("assignee");
  return (issue) =>
    (state === "all" || issue.state === state) &&
    labels.every((name) => issue.labels.some((label) => label.toLowerCase() === name.toLowerCase())) &&
    (since === null || Date.parse(issue.updatedAt) >= Date.parse(since)) &&
    (creator === null || issue.author.toLowerCase() === creator.toLowerCase()) &&
    (assignee === null || assignee === "*" || issue.assignees.includes(assignee));
}

function sorted({ query }: Call, issues: readonly Issue[]): Issue[] {
  const by = query.get("sort") ?? "created";
  const key = (issue: Issue): number => {
    if (by === "comments") return issue.comments.length;
    return Date.parse(by === "updated" ? issue.updatedAt : issue.createdAt);
  };
  const rising = issues.toSorted((a, b) => key(a) - key(b) || a.number - b.number);
  return query.get("direction") === "asc" ? rising : rising.reverse();
}
