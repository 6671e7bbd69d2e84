import { z } from "zod";
import type { IssueAct } from "../../../core/issues/decide-release.js";
import { isLabel } from "../../../core/issues/issue-labels.js";
import { githubAdvice } from "../../../core/replies/app/github.js";
import { OutsideFault } from "../../../ports/outside-fault.js";
import type { Octokit } from "../app-client.js";
import { EARLIER_EVENTS, ISSUE_HISTORIES, MORE_EDITS } from "../documents/issue-history.js";

/** An issue's text with who released and who changed it, read at one moment. */
export interface IssueHistory {
  readonly number: number;
  readonly repository: string;
  readonly title: string;
  readonly body: string;
  readonly isClosed: boolean;
  readonly labels: readonly string[];
  readonly labelled: IssueAct | null;
  readonly edits: readonly IssueAct[];
  readonly editsComplete: boolean;
}

const AT_ONCE = 20;
/** A thousand events or edits; whoever made more of them has something in mind. */
const MOST_PAGES = 10;

const Actor = z.object({ __typename: z.string(), login: z.string() }).nullish();
const Event = z.object({
  __typename: z.string().optional(),
  createdAt: z.string().optional(),
  actor: Actor,
  label: z.object({ name: z.string() }).nullish(),
});
const Events = z.object({
  pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullish() }),
  nodes: z.array(Event.nullable()).nullish(),
});
const Edits = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  nodes: z.array(z.object({ editedAt: z.string(), editor: Actor }).nullable()).nullish(),
});
const History = z.object({
  id: z.string(),
  number: z.number(),
  title: z.string(),
  body: z.string(),
  state: z.string(),
  lastEditedAt: z.string().nullish(),
  editor: Actor,
  repository: z.object({ nameWithOwner: z.string() }),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() }).nullable()).nullish() }).nullish(),
  timelineItems: Events,
  userContentEdits: Edits.nullish(),
});
type History = z.infer<typeof History>;

/** By the issues' ids in GraphQL; those that are gone are left out. */
export async function readHistories(
  octokit: Octokit,
  ids: readonly string[],
  label: string,
): Promise<Map<string, IssueHistory>> {
  const found = new Map<string, IssueHistory>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const data = await ask(octokit, ISSUE_HISTORIES, { ids: ids.slice(from, from + AT_ONCE) });
    const { nodes } = z.object({ nodes: z.array(z.unknown()) }).parse(data);
    for (const node of nodes) {
      const { data: history } = History.safeParse(node);
      if (history !== undefined) found.set(history.id, await whole(octokit, history, label));
    }
  }
  return found;
}

async function whole(octokit: Octokit, history: History, label: string): Promise<IssueHistory> {
  const { number, title, body, state, labels, repository } = history;
  const events = await eventsSinceRelease(octokit, history, label);
  const { edits, complete } = await allEdits(octokit, history);
  const labelled = events.findLast((event) => isLabel(event.label?.name ?? "", label));
  const renames = events.filter(({ __typename }) => __typename === "RenamedTitleEvent");
  const last = history.lastEditedAt;
  // The history may lag behind the text that it belongs to.
  const untold = last != null && !edits.some(({ editedAt }) => Date.parse(editedAt) >= Date.parse(last));
  return {
    ...{ number, title, body, repository: repository.nameWithOwner, isClosed: state === "CLOSED" },
    labels: (labels?.nodes ?? []).flatMap((each) => each?.name ?? []),
    labelled: labelled === undefined ? null : { by: person(labelled.actor), at: labelled.createdAt ?? "" },
    edits: [
      ...edits.map(({ editor, editedAt }) => ({ by: person(editor), at: editedAt })),
      ...renames.map(({ actor, createdAt = "" }) => ({ by: person(actor), at: createdAt })),
      ...(untold ? [{ by: person(history.editor), at: last }] : []),
    ],
    editsComplete: complete,
  };
}

/** Oldest first. It is read back to the release, for what came before does not matter. */
async function eventsSinceRelease(octokit: Octokit, { id, timelineItems }: History, label: string) {
  let page: z.infer<typeof Events> = timelineItems;
  let events = (page.nodes ?? []).flatMap((event) => event ?? []);
  for (let read = 1; read < MOST_PAGES; read += 1) {
    const before = page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null;
    if (before == null || events.some((event) => isLabel(event.label?.name ?? "", label))) break;
    const data = await ask(octokit, EARLIER_EVENTS, { id, before });
    page = z.object({ node: z.object({ timelineItems: Events }) }).parse(data).node.timelineItems;
    events = [...(page.nodes ?? []).flatMap((event) => event ?? []), ...events];
  }
  return events;
}

async function allEdits(octokit: Octokit, { id, userContentEdits }: History) {
  let page = userContentEdits ?? null;
  const edits = (page?.nodes ?? []).flatMap((edit) => edit ?? []);
  for (let read = 1; page?.pageInfo.hasNextPage; read += 1) {
    const after = page.pageInfo.endCursor;
    if (read >= MOST_PAGES || after == null) return { edits, complete: false };
    const data = await ask(octokit, MORE_EDITS, { id, after });
    page =
      z.object({ node: z.object({ userContentEdits: Edits.nullish() }) }).parse(data).node.userContentEdits ??
      null;
    edits.push(...(page?.nodes ?? []).flatMap((edit) => edit ?? []));
  }
  return { edits, complete: true };
}

/** Only people have rights that can be asked for. */
function person(actor: z.infer<typeof Actor>): string | null {
  return actor?.__typename === "User" ? actor.login : null;
}

/** An answer that lacks some of what was asked for is an answer: an issue may have been deleted. */
async function ask(octokit: Octokit, query: string, variables: Record<string, unknown>): Promise<unknown> {
  try {
    return await octokit.graphql(query, variables);
  } catch (error) {
    const { data, errors } = error as { data?: unknown; errors?: { type?: string }[] };
    if (errors?.some(({ type }) => type === "RATE_LIMITED"))
      throw new OutsideFault(githubAdvice.notNow("GraphQL", 200));
    if (data != null && errors?.every(({ type }) => type === "NOT_FOUND")) return data;
    throw error;
  }
}
