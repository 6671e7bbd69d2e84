import { openContainment } from "../../wiring/open-containment.js";
import { openClones } from "../../wiring/start-engine.js";
import { type WiredLanding, wireLanding } from "../../wiring/wire-landing.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** A landing whose gate is shut in as the project asks for, at a terminal. */
export async function wireContained(project: WiredProject): Promise<WiredLanding> {
  const { processes } = await openContainment(project.config, "preferred", [project.home.path, project.root]);
  return wireLanding(project, openClones(project), processes);
}
