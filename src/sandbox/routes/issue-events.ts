import { listAnswer, type Route } from "../http/route.js";
import { renderIssueEvent } from "../render/issue-event.js";
import { threadOf } from "../world/said.js";

const EITHER_READ = { issues: "read", pull_requests: "read" } as const;

export const issueEventRoutes: readonly Route[] = [
  {
    operation: "issues/list-events",
    method: "GET",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/events",
    needs: EITHER_READ,
    answer: (call) => {
      const { world, repository, issue } = threadOf(call);
      return listAnswer(
        call,
        issue.events.map((event) => renderIssueEvent(world, repository, event)),
      );
    },
  },
];
