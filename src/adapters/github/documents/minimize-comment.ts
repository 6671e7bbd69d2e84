/** Folds a comment away as out of date; REST has no way to. */
export const MINIMIZE_COMMENT = /* GraphQL */ `
  mutation MinimizeComment($subject: ID!) {
    minimizeComment(input: { subjectId: $subject, classifier: OUTDATED }) {
      minimizedComment {
        isMinimized
      }
    }
  }
`;
