import type { FleetDiagnosis } from "./fleet-diagnosis.js";

export interface SeenRunner {
  readonly name: string;
  readonly online: boolean;
  readonly labels: readonly string[];
}

export interface FleetFacts {
  /** What jobs of koryph's workflows ask for. */
  readonly asks: readonly { readonly file: string; readonly labels: readonly string[] }[];
  /** Registered for the repository; null where only its administrators may see them. */
  readonly own: readonly SeenRunner[] | null;
  /** Its organisation's; null where only its owners may see them, and `none` where there is no organisation. */
  readonly shared: readonly SeenRunner[] | null | "none";
  readonly isPublic: boolean;
}

/** Whether there are machines for the jobs, and whether strangers may get at them. */
export function examineRunners({ asks, own, shared, isPublic }: FleetFacts): readonly FleetDiagnosis[] {
  const seen = [...(own ?? []), ...(shared === "none" ? [] : (shared ?? []))];
  const found = asks.map(({ file, labels }): FleetDiagnosis => {
    const fitting = seen.filter((runner) => hasAll(runner, labels));
    const online = fitting.filter((runner) => runner.online).length;
    if (online > 0) return { code: "runner_ready", labels, online };
    // Another one may be among those that were not shown.
    if (own === null) return { code: "runner_unknown", labels, needs: "repository" };
    if (shared === null) return { code: "runner_unknown", labels, needs: "organisation" };
    if (fitting.length > 0) return { code: "runner_offline", labels, names: fitting.map(({ name }) => name) };
    return { code: "runner_missing", labels, file };
  });
  const exposed = isPublic && (asks.length > 0 || (own?.length ?? 0) > 0);
  return [...found, ...(exposed ? [{ code: "runner_public" } as const] : [])];
}

function hasAll(runner: SeenRunner, labels: readonly string[]): boolean {
  const has = new Set(runner.labels.map((label) => label.toLowerCase()));
  return labels.every((label) => has.has(label.toLowerCase()));
}
