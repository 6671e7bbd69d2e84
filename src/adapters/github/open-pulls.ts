import { z } from "zod";
import type { SweptPull, SweptText } from "../../core/recovery/choose-swept.js";
import type { GithubApp } from "./app-client.js";
import { OPEN_PULLS } from "./documents/open-pulls.js";
import { repositoryAt } from "./repository-at.js";

const Author = z.object({
  __typename: z.string(),
  login: z.string(),
  databaseId: z.number().nullish(),
});

const Text = z.object({
  fullDatabaseId: z.union([z.string(), z.number()]).nullable().transform(Number),
  body: z.string(),
  lastEditedAt: z.string().nullable(),
  url: z.string(),
  author: Author.nullable(),
});

const Pull = z.object({
  number: z.number(),
  headRefName: z.string(),
  updatedAt: z.string().transform((text) => Date.parse(text)),
  comments: z.object({ nodes: z.array(Text.extend({ createdAt: z.string() })) }),
  reviews: z.object({ nodes: z.array(Text.extend({ submittedAt: z.string().nullable() })) }).nullable(),
});

const Page = z.object({
  repository: z.object({
    databaseId: z.number(),
    pullRequests: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      nodes: z.array(Pull),
    }),
  }),
});

/** What was last written on the open pull requests on which something happened since then, 50 to a request. */
export async function readOpenPulls(
  app: GithubApp,
  { installation, repository }: { readonly installation: number; readonly repository: string },
  since: number,
): Promise<readonly SweptPull[]> {
  const octokit = await app.asInstallation(installation);
  const { owner, repo: name } = repositoryAt(repository);
  const found = new Map<number, SweptPull>();
  for (let after: string | null = null; ; ) {
    const page: z.infer<typeof Page> = Page.parse(await octokit.graphql(OPEN_PULLS, { owner, name, after }));
    const { databaseId: repositoryId, pullRequests } = page.repository;
    const { nodes, pageInfo } = pullRequests;
    const fresh = nodes.filter(({ number, updatedAt }) => !found.has(number) && updatedAt >= since);
    for (const pull of fresh) found.set(pull.number, sweptPull(repositoryId, pull));
    after = pageInfo.endCursor;
    // Those with the latest news come first, so after one without news there is none.
    if (!pageInfo.hasNextPage || after === null || fresh.length < nodes.length) return [...found.values()];
  }
}

function sweptPull(
  repositoryId: number,
  { number, headRefName, comments, reviews }: z.infer<typeof Pull>,
): SweptPull {
  const texts = [
    ...comments.nodes.map((node) => sweptText("comment", node, node.createdAt)),
    ...(reviews?.nodes ?? []).map((node) => sweptText("review", node, node.submittedAt)),
  ];
  return { repositoryId, number, branch: headRefName, texts: texts.filter((text) => text !== null) };
}

/** Null for a review that is not sent yet, and where GitHub does not say whose it is: of bots, or of a deleted account. */
function sweptText(
  kind: SweptText["kind"],
  { fullDatabaseId: id, body, lastEditedAt, url, author }: z.infer<typeof Text>,
  createdAt: string | null,
): SweptText | null {
  if (createdAt === null || author?.databaseId == null || id === 0) return null;
  const { __typename: type, login, databaseId } = author;
  return {
    kind,
    id,
    url,
    createdAt,
    body,
    edited: lastEditedAt !== null,
    author: { login, id: databaseId, type },
  };
}
