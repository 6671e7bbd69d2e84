/** Conversations on lines, and what each begins with. Only GraphQL knows whether one is resolved. */
export const REVIEW_THREADS = /* GraphQL */ `
  query ReviewThreads($owner: String!, $name: String!, $pull: Int!, $after: String) {
    repository(owner: $owner, name: $name) {
      pullRequest(number: $pull) {
        author {
          login
        }
        reviewThreads(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            id
            path
            isResolved
            resolvedBy {
              login
            }
            isOutdated
            comments(first: 1) {
              totalCount
              nodes {
                fullDatabaseId
                body
                isMinimized
                viewerDidAuthor
                author {
                  login
                }
              }
            }
          }
        }
      }
    }
  }
`;

/** The texts of reviews. */
export const REVIEW_BODIES = /* GraphQL */ `
  query ReviewBodies($owner: String!, $name: String!, $pull: Int!, $after: String) {
    repository(owner: $owner, name: $name) {
      pullRequest(number: $pull) {
        author {
          login
        }
        reviews(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            body
            url
            viewerDidAuthor
            author {
              login
            }
          }
        }
      }
    }
  }
`;

export const RESOLVE_THREAD = /* GraphQL */ `
  mutation ResolveThread($thread: ID!) {
    resolveReviewThread(input: { threadId: $thread }) {
      thread {
        isResolved
      }
    }
  }
`;

/** Also an installation has a name here; REST knows only people. */
export const VIEWER = /* GraphQL */ `
  query Viewer {
    viewer {
      login
      databaseId
    }
  }
`;
