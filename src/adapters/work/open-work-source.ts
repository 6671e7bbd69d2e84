import type { WorkSource } from "../../ports/work-source.js";
import type { Project } from "../project/open-project.js";
import { BdSource } from "./bd-source.js";
import { FileSource } from "./file-source.js";
import { GithubSource } from "./github-source.js";
import { openIssues } from "./open-issues.js";

export function openWorkSource(project: Project): WorkSource {
  const { root, config } = project;
  switch (config.work_source) {
    case "file":
      return new FileSource(root);
    case "bd":
      return new BdSource(root);
    case "github": {
      const now = () => performance.now();
      return new GithubSource(() => openIssues(project, now), now);
    }
  }
}
