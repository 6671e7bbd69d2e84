import type { ProjectConfig } from "../config/project-schema.js";
import type { Diagnosis } from "./diagnosis.js";

/** Whether a landing that is asked for in a comment can come to know that the gate is green. */
export function examineGate(
  { land, jobs }: Pick<ProjectConfig, "land" | "jobs">,
  { branch, checked }: { readonly branch: string; readonly checked: boolean },
): readonly Diagnosis[] {
  if (land.gate === "checks") return checked ? [] : [{ code: "no_check_required", branch }];
  const isAsked = jobs.workflow !== undefined && jobs.kinds.includes("gate");
  return isAsked ? [] : [{ code: "gate_unshown" }];
}
