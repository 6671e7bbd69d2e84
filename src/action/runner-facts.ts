/** What the runner says of the workflow run that this process is part of. */
export interface RunnerFacts {
  /** `owner/name`. */
  readonly repository: string;
  readonly apiUrl: string;
  readonly serverUrl: string;
  readonly runId: number;
}

const VARIABLES = {
  repository: "GITHUB_REPOSITORY",
  apiUrl: "GITHUB_API_URL",
  serverUrl: "GITHUB_SERVER_URL",
  runId: "GITHUB_RUN_ID",
} as const;

/** With the names of the variables that are missing, or make no sense. */
export function runnerFacts(env: NodeJS.ProcessEnv): {
  readonly facts: RunnerFacts;
  readonly missing: readonly string[];
} {
  const { repository, apiUrl, serverUrl, runId } = VARIABLES;
  const missing: string[] = [repository, apiUrl, serverUrl].filter((name) => !env[name]);
  if (!/^\d{1,15}$/.test(env[runId] ?? "")) missing.push(runId);
  const facts = {
    repository: env[repository] ?? "",
    apiUrl: env[apiUrl] ?? "",
    serverUrl: (env[serverUrl] ?? "").replace(/\/+$/, ""),
    runId: Number(env[runId]),
  };
  return { facts, missing };
}
