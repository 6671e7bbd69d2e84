/** Which reactions to a review are our own: GraphQL names nobody for a bot's, but knows who asks. */
export const REVIEW_REACTIONS = /* GraphQL */ `
  query ReviewReactions($review: ID!) {
    node(id: $review) {
      ... on PullRequestReview {
        reactionGroups {
          content
          viewerHasReacted
        }
      }
    }
  }
`;
