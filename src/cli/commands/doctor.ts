import type { Command } from "commander";
import { probeLedger } from "../../adapters/git/ledger/probe-ledger.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { githubAt } from "../../adapters/project/github-of.js";
import { type Diagnosis, isUnsafe } from "../../core/doctor/diagnosis.js";
import { examineLedger } from "../../core/doctor/examine-ledger.js";
import { doctorJson, doctorReport } from "../../core/replies/doctor/doctor-report.js";
import { openClones } from "../../wiring/start-engine.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import { observeGithub } from "../doctor/observe-github.js";
import { observeAgents, observeProject, observeSignature } from "../doctor/observe-machine.js";
import { observeQuota } from "../doctor/observe-quota.js";
import type { Surface } from "../program.js";
import { projectFolder } from "../wiring/project-folder.js";

interface DoctorFlags {
  readonly json?: true;
  readonly write: boolean;
}

export function addDoctor(command: Command, { program, terminal, version, exit }: Surface): void {
  command
    .option(
      "--no-write",
      "try nothing on the remote; else koryph makes refs of its own there and deletes them",
    )
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ json, write }: DoctorFlags) => {
      const diagnoses = await examine(await wireProject(projectFolder(program), version), write);
      terminal.out(
        json ? JSON.stringify(doctorJson(diagnoses), null, 2) : doctorReport(diagnoses).join("\n"),
      );
      exit(isUnsafe(diagnoses) ? 1 : 0);
    });
}

async function examine(project: WiredProject, write: boolean): Promise<readonly Diagnosis[]> {
  const { home, config, remote } = project;
  const signature = await observeSignature(project, openClones(project));
  const probe = write ? await probeLedger(home.ledger(config.project_id), remote) : null;
  return [
    ...(await observeProject(project)),
    ...(await observeAgents(project)),
    ...(await observeQuota(project)),
    ...signature,
    ...examineLedger(probe, { hasRemote: githubAt(project, remote).kind !== "no_remote" }),
    ...(await observeGithub(
      project,
      signature.some(({ code }) => code === "signing_ready"),
    )),
  ];
}
