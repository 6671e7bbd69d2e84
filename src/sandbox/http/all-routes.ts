import { activityRoutes } from "../routes/activity.js";
import { appRoutes } from "../routes/app.js";
import { appManifestRoutes } from "../routes/app-manifests.js";
import { checkRoutes } from "../routes/checks/checks.js";
import { dispatchRoutes } from "../routes/checks/dispatch.js";
import { runnerRoutes } from "../routes/checks/runners.js";
import { statusRoutes } from "../routes/checks/statuses.js";
import { suiteRoutes } from "../routes/checks/suites.js";
import { workflowRunRoutes } from "../routes/checks/workflow-runs.js";
import { workflowRoutes } from "../routes/checks/workflows.js";
import { collaboratorRoutes } from "../routes/collaborators.js";
import { commentRoutes } from "../routes/comments.js";
import { compareRoutes } from "../routes/compare.js";
import { contentRoutes } from "../routes/contents.js";
import { gitRoutes } from "../routes/git.js";
import { hookRoutes } from "../routes/hooks.js";
import { issueEventRoutes } from "../routes/issue-events.js";
import { issueRoutes } from "../routes/issues.js";
import { labelRoutes } from "../routes/labels.js";
import { metaRoutes } from "../routes/meta.js";
import { mergeRoutes } from "../routes/pulls/merge.js";
import { pullRoutes } from "../routes/pulls/pulls.js";
import { reviewCommentRoutes } from "../routes/pulls/review-comments.js";
import { reviewRoutes } from "../routes/pulls/reviews.js";
import { reactionRoutes } from "../routes/reactions.js";
import { repoRoutes } from "../routes/repos.js";
import { codeownersRoutes } from "../routes/rules/codeowners.js";
import { protectionRoutes } from "../routes/rules/protection.js";
import { ruleRoutes } from "../routes/rules/rules.js";
import { subIssueRoutes } from "../routes/sub-issues.js";
import type { Route } from "./route.js";

/** Every operation of GitHub's REST API that is here. */
export const ROUTES: readonly Route[] = [
  ...appRoutes,
  ...appManifestRoutes,
  ...hookRoutes,
  ...metaRoutes,
  ...repoRoutes,
  ...activityRoutes,
  ...compareRoutes,
  ...contentRoutes,
  ...gitRoutes,
  ...pullRoutes,
  ...mergeRoutes,
  ...ruleRoutes,
  ...protectionRoutes,
  ...codeownersRoutes,
  ...dispatchRoutes,
  ...issueRoutes,
  ...issueEventRoutes,
  ...commentRoutes,
  ...labelRoutes,
  ...reactionRoutes,
  ...subIssueRoutes,
  ...reviewRoutes,
  ...reviewCommentRoutes,
  ...checkRoutes,
  ...suiteRoutes,
  ...workflowRunRoutes,
  ...workflowRoutes,
  ...runnerRoutes,
  ...statusRoutes,
  ...collaboratorRoutes,
];
