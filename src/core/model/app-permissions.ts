/** What the App may do, and no more. app.yml asks GitHub for exactly this. */
export const APP_PERMISSIONS = {
  metadata: "read",
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  actions: "write",
  statuses: "read",
} as const;
