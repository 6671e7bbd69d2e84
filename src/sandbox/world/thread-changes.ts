import type { JsonObject } from "../http/json.js";
import { renderIssue } from "../render/issue.js";
import { labelNamed, renderLabel } from "../render/label.js";
import type { PullIssue } from "../render/pull.js";
import { admitReopening } from "./pulls/reopen-pull.js";
import { isPull, tellPull } from "./pulls/world-pulls.js";
import type { Issue, Label, Repository } from "./state.js";
import type { World } from "./world.js";

/** Who changes something, and through which app. */
export interface Author {
  readonly login: string;
  readonly app: number | null;
}

/** An issue or pull, in its place. */
export interface ThreadPlace {
  readonly world: World;
  readonly repository: Repository;
  readonly issue: Issue;
}

export interface PullThread extends ThreadPlace {
  readonly issue: PullIssue;
}

export function recordEvent(
  { world, issue }: ThreadPlace,
  by: Author,
  event: string,
  detail: JsonObject = {},
): void {
  issue.events.push({
    id: world.newId(),
    event,
    actor: by.login,
    createdAt: world.timestamp(),
    viaApp: by.app,
    detail,
  });
  issue.updatedAt = world.timestamp();
}

/** Issues have events of their own, and pulls theirs, even where one operation serves both. */
export async function tellThread(
  { world, repository, issue }: ThreadPlace,
  by: Author,
  action: string,
  more: JsonObject = {},
): Promise<void> {
  if (isPull(issue)) {
    return tellPull(world, { repository, issue, pusher: by.login }, { action, extra: more });
  }
  const payload = { issue: renderIssue(world, repository, issue), ...more };
  world.tell({ event: "issues", action, repository, sender: by.login, payload });
}

interface LabelChange {
  readonly action: "labeled" | "unlabeled";
  readonly label: Label;
}

/** The thread has exactly these labels afterwards. A label that the repository has not is made. */
export async function setLabels(thread: ThreadPlace, by: Author, names: readonly string[]): Promise<void> {
  await tellLabels(thread, by, changeLabels(thread, by, names));
}

/** The same, told to nobody yet. */
export function changeLabels(thread: ThreadPlace, by: Author, names: readonly string[]): LabelChange[] {
  const { issue } = thread;
  const had = issue.labels;
  issue.labels = [...new Set(names.map((name) => labelOrNew(thread, name).name))];
  const changes = [...changed("unlabeled", had, issue.labels), ...changed("labeled", issue.labels, had)].map(
    ({ action, name }) => ({ action, label: labelOrNew(thread, name) }),
  );
  for (const { action, label } of changes) {
    recordEvent(thread, by, action, { label: { name: label.name, color: label.color } });
  }
  return changes;
}

export async function tellLabels(
  thread: ThreadPlace,
  by: Author,
  changes: readonly LabelChange[],
): Promise<void> {
  for (const { action, label } of changes) {
    await tellThread(thread, by, action, { label: renderLabel(thread.world, thread.repository, label) });
  }
}

/** What is in one list and not in the other. */
function changed(action: "labeled" | "unlabeled", here: readonly string[], there: readonly string[]) {
  return here.filter((name) => !there.includes(name)).map((name) => ({ action, name }));
}

function labelOrNew({ world, repository }: ThreadPlace, name: string): Label {
  const found = labelNamed(repository, name);
  if (found !== null) return found;
  const label: Label = { id: world.newId(), name, color: "ededed", description: "" };
  repository.labels.push(label);
  return label;
}

export async function setState(
  thread: ThreadPlace,
  by: Author,
  state: Issue["state"],
  reason: Issue["stateReason"],
): Promise<void> {
  const { world, issue } = thread;
  if (issue.state === state) return;
  if (state === "open" && isPull(issue)) await admitReopening({ ...thread, issue });
  issue.state = state;
  // A pull request has no reason, as GitHub keeps them for issues.
  issue.stateReason = issue.pull !== null ? null : state === "open" ? "reopened" : (reason ?? "completed");
  issue.closedAt = state === "closed" ? world.timestamp() : null;
  issue.closedBy = state === "closed" ? by.login : null;
  const action = state === "closed" ? "closed" : "reopened";
  recordEvent(thread, by, action, state === "closed" ? { state_reason: issue.stateReason } : {});
  await tellThread(thread, by, action);
}
