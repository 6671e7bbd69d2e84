import { openRemote } from "../../adapters/git/remote/remote.js";
import { makeLabels } from "../../adapters/github/issues/make-labels.js";
import type { Project } from "../../adapters/project/open-project.js";
import { labelLines, labelTrouble } from "../../core/replies/config/setup-labels.js";
import { setupLabels } from "../../core/setup/labels.js";
import { UserError } from "../../lib/user-error.js";
import { operatorGithub } from "../../wiring/operator-github.js";

/** Labels that issues as work need: made with the operator's token, or the commands that make them. */
export async function makeSetupLabels(project: Project, dry: boolean): Promise<readonly string[]> {
  const { root, config } = project;
  if (config.work_source !== "github") return [];
  const labels = setupLabels(config.release_label);
  try {
    const github = await operatorGithub({ root, remote: await openRemote(root, config.ledger.remote) });
    if (github.kind === "no_token") return labelTrouble({ kind: "no-token", host: github.host }, labels);
    if (github.kind !== "github") return labelTrouble({ kind: "no-github" }, labels);
    const { client, repository } = github;
    return labelLines(await makeLabels(client, repository, { labels, write: !dry }), dry);
  } catch (error) {
    // The files are written; that GitHub could not be asked, or there is no remote yet, takes none of them back.
    if (!(error instanceof UserError)) throw error;
    return labelTrouble({ kind: "failed", why: error.message }, labels);
  }
}
