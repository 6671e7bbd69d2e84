import type { JobKind } from "../model/job-kind.js";
import type { Diagnosis } from "./diagnosis.js";

/** What the project file says of it. */
export interface GateFacts {
  readonly land: { readonly gate: "run" | "checks" };
  readonly jobs: { readonly workflow?: string | undefined; readonly kinds: readonly JobKind[] };
}

/** Whether a landing can come to know that the gate is green: at a terminal koryph runs it, and the App does not. */
export function examineGate(
  { land, jobs }: GateFacts,
  {
    branch,
    checked,
    appLands,
  }: { readonly branch: string; readonly checked: boolean; readonly appLands: boolean },
): readonly Diagnosis[] {
  if (land.gate === "checks") return checked ? [] : [{ code: "no_check_required", branch }];
  const isAsked = jobs.workflow !== undefined && jobs.kinds.includes("gate");
  return isAsked || !appLands ? [] : [{ code: "gate_unshown" }];
}
