/**
 * Reviews with a verdict, oldest first. Remarks are left out: like on GitHub, they leave what a person said before as it
 * was. Only GraphQL tells of every author whether they can push.
 */
export const PULL_VERDICTS = /* GraphQL */ `
  query PullVerdicts($owner: String!, $repo: String!, $number: Int!, $after: String) {
    repository(owner: $owner, name: $repo) {
      pullRequest(number: $number) {
        reviews(first: 100, after: $after, states: [APPROVED, CHANGES_REQUESTED, DISMISSED]) {
          nodes {
            state
            submittedAt
            url
            authorCanPushToRepository
            author {
              __typename
              login
              ... on User {
                databaseId
              }
            }
            commit {
              oid
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`;
