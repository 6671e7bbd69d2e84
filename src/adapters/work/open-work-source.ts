import { workAdvice } from "../../core/replies/config/work.js";
import { UserError } from "../../lib/user-error.js";
import type { WorkSource } from "../../ports/work-source.js";
import type { Project } from "../project/open-project.js";
import { BdSource } from "./bd-source.js";
import { FileSource } from "./file-source.js";

export function openWorkSource({ root, config }: Project): WorkSource {
  switch (config.work_source) {
    case "file":
      return new FileSource(root);
    case "bd":
      return new BdSource(root);
    case "github":
      throw UserError.of(workAdvice.githubLater());
  }
}
