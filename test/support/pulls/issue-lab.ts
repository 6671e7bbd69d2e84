import { type IssueDesk, issueDesk } from "./issue-desk.js";
import { REPOSITORY } from "./open-shop.js";
import { type PullLab, pullLab } from "./pull-lab.js";

export { RELEASE_LABEL } from "./issue-desk.js";

/** A project whose beads are the issues of its repository on a loopback GitHub, and whose work lands by itself. */
export async function issueLab(
  agents: Parameters<typeof pullLab>[0],
  config: object = {},
): Promise<PullLab & IssueDesk> {
  const world = await pullLab(agents, {}, { work_source: "github", merge_policy: "auto", ...config });
  return { ...world, ...issueDesk({ ...world, name: REPOSITORY }) };
}
