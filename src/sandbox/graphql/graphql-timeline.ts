import { labelNamed } from "../render/label.js";
import { nodeId } from "../render/user.js";
import type { Issue, IssueEvent, Repository } from "../world/state.js";
import { actorObject } from "./graphql-actors.js";
import { connection, type PageArguments } from "./graphql-connection.js";
import { labelObject } from "./graphql-threads.js";
import type { GraphqlObject, View } from "./graphql-view.js";

export interface TimelineArguments extends PageArguments {
  readonly itemTypes?: readonly string[] | null;
  readonly since?: string | null;
}

/** The kinds of events that are shown, by the name they are asked for. */
const KINDS: Readonly<Record<string, { readonly event: string; readonly type: string }>> = {
  LABELED_EVENT: { event: "labeled", type: "LabeledEvent" },
  UNLABELED_EVENT: { event: "unlabeled", type: "UnlabeledEvent" },
  RENAMED_TITLE_EVENT: { event: "renamed", type: "RenamedTitleEvent" },
};

/** What happened to an issue, oldest first. An event about a label that was deleted since is gone with it. */
export function timelineConnection(
  view: View,
  repository: Repository,
  issue: Issue,
  { itemTypes, since, ...page }: TimelineArguments,
) {
  const asked = Object.entries(KINDS).flatMap(([name, { event }]) =>
    itemTypes == null || itemTypes.includes(name) ? [event] : [],
  );
  const items = issue.events.flatMap((event) => {
    if (!asked.includes(event.event)) return [];
    if (since != null && Date.parse(event.createdAt) < Date.parse(since)) return [];
    const shown = eventObject(view, repository, event);
    return shown === null ? [] : [{ key: event.id, shown }];
  });
  return connection(items, page, { key: ({ key }) => key, render: ({ shown }) => shown });
}

function eventObject(view: View, repository: Repository, event: IssueEvent): GraphqlObject | null {
  const type = Object.values(KINDS).find((kind) => kind.event === event.event)?.type ?? "";
  const same = {
    __typename: type,
    id: nodeId(type, event.id),
    actor: () => actorObject(view, event.actor),
    createdAt: event.createdAt,
  };
  const { label, rename } = event.detail as {
    readonly label?: { readonly name: string };
    readonly rename?: { readonly from: string; readonly to: string };
  };
  if (rename !== undefined) return { ...same, previousTitle: rename.from, currentTitle: rename.to };
  const found = label === undefined ? null : labelNamed(repository, label.name);
  return found === null ? null : { ...same, label: labelObject(view, repository, found) };
}
