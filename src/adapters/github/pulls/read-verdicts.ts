import { z } from "zod";
import { MOST_VERDICTS, type PullVerdict } from "../../../core/land/pull/last-verdicts.js";
import type { Octokit } from "../app-client.js";
import { PULL_VERDICTS } from "../documents/pull-verdicts.js";
import type { RepositoryAt } from "../repository-at.js";

const STATES = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  DISMISSED: "dismissed",
} as const satisfies Readonly<Record<string, PullVerdict["state"]>>;

const Node = z.object({
  state: z.enum(["APPROVED", "CHANGES_REQUESTED", "DISMISSED"]),
  submittedAt: z.string().nullable(),
  url: z.string(),
  authorCanPushToRepository: z.boolean(),
  author: z
    .object({ __typename: z.string(), login: z.string(), databaseId: z.number().nullish() })
    .nullable(),
  commit: z.object({ oid: z.string() }).nullable(),
});
const Page = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviews: z.object({
        nodes: z.array(Node),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    }),
  }),
});

const PER_PAGE = 100;

/** All reviews of people that give a verdict, oldest first; null when there are more than `MOST_VERDICTS`. */
export async function readVerdicts(
  octokit: Octokit,
  at: RepositoryAt,
  pull: number,
): Promise<readonly PullVerdict[] | null> {
  const found: PullVerdict[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_VERDICTS / PER_PAGE; page += 1) {
    const data: unknown = await octokit.graphql(PULL_VERDICTS, { ...at, number: pull, after });
    const { nodes, pageInfo } = Page.parse(data).repository.pullRequest.reviews;
    found.push(...nodes.flatMap(verdictOf));
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor;
  }
  return null;
}

/** Nobody knows any more who wrote what a deleted account left; what is no person's account has no number here. */
function verdictOf({
  state,
  submittedAt,
  url,
  author,
  commit,
  ...node
}: z.infer<typeof Node>): PullVerdict[] {
  if (author === null || author.databaseId == null) return [];
  const by = { id: author.databaseId, login: author.login, type: author.__typename };
  return [
    {
      ...{ by, mayPush: node.authorCanPushToRepository, state: STATES[state] },
      ...{ head: commit?.oid ?? "", submittedAt: submittedAt ?? "", url },
    },
  ];
}
