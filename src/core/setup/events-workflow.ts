import type { GithubSetup } from "./github-files.js";
import { oddMinute } from "./odd-minute.js";

/**
 * Answers comments without a server. Nothing is checked out, and no group holds a run back: GitHub drops what waits in
 * one, and the ledger keeps two runs from doing the same.
 */
export function eventsWorkflow({
  project,
  action,
  checks,
}: Pick<GithubSetup, "project" | "action"> & { readonly checks: readonly string[] }): string {
  const names = checks.map((name) => JSON.stringify(name)).join(", ");
  const ended =
    checks.length === 0 ? "" : `  workflow_run:\n    workflows: [${names}]\n    types: [completed]\n`;
  return `name: koryph events
on:
  issue_comment:
    types: [created]
  pull_request_target:
    types: [opened, synchronize, ready_for_review, closed, reopened]
${ended}  schedule:
    - cron: "${oddMinute(`${project} events`)} * * * *"
  workflow_dispatch:

permissions: {}

jobs:
  events:
    if: github.event_name != 'issue_comment' || contains(github.event.comment.body, '/koryph')
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      contents: write
      issues: write
      pull-requests: write
      checks: write
      actions: read
      statuses: read
    steps:
      - uses: ${action}
        with:
          mode: events
          token: \${{ github.token }}
`;
}
