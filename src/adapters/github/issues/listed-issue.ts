import { z } from "zod";
import type { IssueRecord, IssueReference } from "../../../core/issues/issue-record.js";

/** An issue as GitHub's list shows it, with what is needed to ask for more. */
export interface ListedIssue {
  readonly record: IssueRecord;
  /** Its id in GraphQL. */
  readonly node: string;
  readonly updatedAt: string;
  readonly comments: number;
  /** How many issues GitHub says it waits for; the list does not name them. */
  readonly blockers: number;
}

const Label = z.union([z.string(), z.object({ name: z.string().nullish() })]);
const Listed = z.object({
  number: z.number(),
  node_id: z.string(),
  repository_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  updated_at: z.string(),
  comments: z.number().default(0),
  labels: z.array(Label),
  type: z.object({ name: z.string() }).nullish(),
  pull_request: z.unknown().optional(),
  parent_issue_url: z.string().nullish(),
  sub_issues_summary: z.object({ total: z.number() }).nullish(),
  issue_dependencies_summary: z.object({ total_blocked_by: z.number() }).nullish(),
});

/** Null for an issue of another repository: GitHub leads on to where one was transferred to. */
export function readListedIssue(data: unknown, repository: string): ListedIssue | null {
  const found = Listed.parse(data);
  const isOwn = (address: string) => isBelow(address, repository);
  if (!isOwn(`${found.repository_url}/issues`)) return null;
  return {
    record: {
      number: found.number,
      title: found.title,
      body: found.body ?? "",
      isClosed: found.state === "closed",
      isPull: found.pull_request != null,
      labels: found.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
      type: found.type?.name ?? null,
      parent: numberIn(found.parent_issue_url ?? "", isOwn),
      hasParts: (found.sub_issues_summary?.total ?? 0) > 0,
      blockedBy: [],
    },
    node: found.node_id,
    updatedAt: found.updated_at,
    comments: found.comments,
    blockers: found.issue_dependencies_summary?.total_blocked_by ?? 0,
  };
}

const Blocker = z.object({ number: z.number(), repository_url: z.string(), state: z.string() });

/** Null for one of another repository that is closed: nothing else tells of those. */
export function readBlocker(data: unknown, repository: string): IssueReference | null {
  const { number, repository_url: address, state } = Blocker.parse(data);
  if (isBelow(`${address}/issues`, repository)) return { repository: null, number };
  const [, elsewhere = ""] = /\/repos\/([^/]+\/[^/]+)$/.exec(address) ?? [];
  return state === "closed" ? null : { repository: elsewhere || "elsewhere", number };
}

function isBelow(address: string, repository: string): boolean {
  return address.toLowerCase().includes(`/repos/${repository.toLowerCase()}/issues`);
}

function numberIn(address: string, isOwn: (address: string) => boolean): number | null {
  const [, digits] = /\/issues\/(\d+)$/.exec(address) ?? [];
  return digits !== undefined && isOwn(address) ? Number(digits) : null;
}
