/**
 * The form in which people write work for agents. It sets no label: a form's labels come with whoever fills it in, and a
 * release is a maintainer's word.
 */
export function issueForm(): string {
  return `name: Work for koryph
description: A piece of work that an agent can do by itself. A maintainer releases it with a label.
body:
  - type: textarea
    id: work
    attributes:
      label: What is to be done
      description: What is wrong or missing, and where. An agent reads this and nothing else.
    validations:
      required: true
  - type: textarea
    id: criteria
    attributes:
      label: Acceptance criteria
      description: One line each. A reviewer checks the result against them.
      placeholder: |
        - [ ] the export has a header line
        - [ ] a test covers an empty list
    validations:
      required: true
  - type: input
    id: blockers
    attributes:
      label: Blocked by
      description: Issues that have to be done first.
      placeholder: "Blocked by #12"
`;
}
