import type { Command } from "commander";
import { openHome } from "../../adapters/home/koryph-home.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openProject } from "../../adapters/project/open-project.js";
import { initSigning } from "../../adapters/sign/init-signing.js";
import { ownKeyOf, socketsOf } from "../../adapters/sign/project-signer.js";
import {
  signingInitText,
  signingStatusJson,
  signingStatusText,
} from "../../core/replies/sign/signing-status.js";
import { signingState } from "../../core/sign/signing-state.js";
import { observeSigning } from "../../wiring/observe-signing.js";
import { openClones } from "../../wiring/start-engine.js";
import { wireProject } from "../../wiring/wire-project.js";
import type { Surface } from "../program.js";
import { projectFolder } from "../wiring/project-folder.js";

export function addSigning(signing: Command, { program, terminal, version, exit }: Surface): void {
  signing
    .command("status")
    .description("whether koryph can sign, and whether the default branch allows its key")
    .option("--json", `print JSON, as ${docsPath("signing.md")} describes it`)
    .action(async ({ json }: { json?: true }) => {
      const project = await wireProject(projectFolder(program), version);
      const facts = await observeSigning(project, openClones(project));
      terminal.out(
        json ? JSON.stringify(signingStatusJson(facts), null, 2) : signingStatusText(facts).join("\n"),
      );
      if (facts.required && signingState(facts).kind !== "ready") exit(1);
    });
  signing
    .command("init")
    .description("make a key unless there is one, and allow it in the checkout's .allowed_signers")
    .option("--key <path>", "the key to use, made there if it is missing; never inside the repository")
    .action(async ({ key }: { key?: string }) => {
      const { root, config } = await openProject(projectFolder(program), version);
      const home = await openHome();
      const done = await initSigning({
        root,
        config,
        key,
        ownKey: ownKeyOf(home, config.project_id),
        socketFolder: socketsOf(home),
        env: process.env,
      });
      terminal.out(signingInitText(done).join("\n"));
    });
}
