/** When somebody last changed what somebody wrote. REST has only times of whole seconds, and none of reviews. */
export const LAST_EDIT = /* GraphQL */ `
  query LastEdit($writing: ID!) {
    node(id: $writing) {
      ... on Comment {
        lastEditedAt
      }
    }
  }
`;
