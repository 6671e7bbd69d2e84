/** A review can be reacted to in no other way: REST has reactions for everything else. */
export const ADD_REACTION = /* GraphQL */ `
  mutation AddReaction($subject: ID!, $content: ReactionContent!) {
    addReaction(input: { subjectId: $subject, content: $content }) {
      reaction {
        content
      }
    }
  }
`;
