const ACTOR = `{
  __typename
  login
}`;

const EVENTS = `
  pageInfo {
    hasPreviousPage
    startCursor
  }
  nodes {
    ... on LabeledEvent {
      __typename
      createdAt
      actor ${ACTOR}
      label {
        name
      }
    }
    ... on RenamedTitleEvent {
      __typename
      createdAt
      actor ${ACTOR}
    }
  }
`;

const EDITS = `
  pageInfo {
    hasNextPage
    endCursor
  }
  nodes {
    editedAt
    editor ${ACTOR}
  }
`;

/** What a release is judged by: the text, who set labels or changed the title, who changed the text; all at one moment. */
export const ISSUE_HISTORIES = `
  query IssueHistories($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Issue {
        id
        number
        title
        body
        state
        lastEditedAt
        editor ${ACTOR}
        repository {
          nameWithOwner
        }
        labels(first: 100) {
          nodes {
            name
          }
        }
        timelineItems(last: 100, itemTypes: [LABELED_EVENT, RENAMED_TITLE_EVENT]) { ${EVENTS} }
        userContentEdits(first: 100) { ${EDITS} }
      }
    }
  }
`;

/** Earlier events of an issue with many. */
export const EARLIER_EVENTS = `
  query EarlierEvents($id: ID!, $before: String!) {
    node(id: $id) {
      ... on Issue {
        timelineItems(last: 100, before: $before, itemTypes: [LABELED_EVENT, RENAMED_TITLE_EVENT]) { ${EVENTS} }
      }
    }
  }
`;

/** More edits of an issue with many. */
export const MORE_EDITS = `
  query MoreEdits($id: ID!, $after: String!) {
    node(id: $id) {
      ... on Issue {
        userContentEdits(first: 100, after: $after) { ${EDITS} }
      }
    }
  }
`;
