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
      description: What is wrong or missing, and where. An agent reads this and nothing else. Work that has to wait for another issue says so on a line of its own, such as "Blocked by #12".
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
`;
}
