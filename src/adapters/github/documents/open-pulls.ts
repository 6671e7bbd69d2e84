/**
 * What people last wrote on a repository's open pull requests, those with the latest news first. The numbers of comments
 * outgrew GraphQL's `Int`, so they are asked for in their full form, which is text.
 */
export const OPEN_PULLS = /* GraphQL */ `
  query OpenPulls($owner: String!, $name: String!, $after: String) {
    repository(owner: $owner, name: $name) {
      databaseId
      pullRequests(states: OPEN, first: 50, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          number
          headRefName
          updatedAt
          comments(last: 20) {
            nodes {
              fullDatabaseId
              body
              createdAt
              lastEditedAt
              url
              author {
                __typename
                login
                ... on User {
                  databaseId
                }
              }
            }
          }
          reviews(last: 20) {
            nodes {
              fullDatabaseId
              body
              submittedAt
              lastEditedAt
              url
              author {
                __typename
                login
                ... on User {
                  databaseId
                }
              }
            }
          }
        }
      }
    }
  }
`;
