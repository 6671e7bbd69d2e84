import { SCHEMA_VERSION } from "./project-schema.js";

/** What `koryph init` writes: the keys everyone sets, the rest at their defaults. */
export function starterProject(projectId: string, gate: readonly string[]): string {
  const starter = {
    schema_version: SCHEMA_VERSION,
    project_id: projectId,
    work_source: "file",
    area_map: { docs: ["docs"], api: ["src/api"] },
    gate,
    merge_policy: "manual",
    risk_tier_default: 2,
  };
  return `${JSON.stringify(starter, null, 2)}\n`;
}

/** A valid project id as close to a folder's name as possible. */
export function projectIdFrom(folder: string): string {
  const id = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, 64);
  return id === "" ? "project" : id;
}
