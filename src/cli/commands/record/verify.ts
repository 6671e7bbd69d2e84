import type { Command } from "commander";
import { bringCommit } from "../../../adapters/git/landing/bring-commit.js";
import { type VerifyQuestion, verifyChain } from "../../../adapters/git/receipts/verify-chain.js";
import { docsPath } from "../../../adapters/project/docs-path.js";
import { verifyAdvice, verifyJson, verifyText } from "../../../core/replies/receipts/verify.js";
import { UserError } from "../../../lib/user-error.js";
import { wireProject } from "../../../wiring/wire-project.js";
import type { Surface } from "../../program.js";
import { refuseUsage } from "../../text/refuse-usage.js";
import { knownRefs } from "../../wiring/known-refs.js";
import { projectFolder } from "../../wiring/project-folder.js";

interface VerifyFlags {
  readonly all?: true;
  readonly tip?: string;
  readonly json?: true;
}

export function addVerify(command: Command, surface: Surface): void {
  command
    .option("--all", "everything since the first receipt")
    .option("--tip <receipt>", "a receipt that the chain must have, known from elsewhere")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action((name: string | undefined, flags: VerifyFlags) => {
      if ((name === undefined) === (flags.all === undefined)) refuseUsage(command, verifyAdvice.verifyWhat());
      if (flags.tip !== undefined && !/^[0-9a-f]{40,64}$/.test(flags.tip))
        refuseUsage(command, verifyAdvice.noTip(flags.tip));
      return verify(surface, name ?? null, flags);
    });
}

/** `name` of null means all. */
async function verify(surface: Surface, name: string | null, flags: VerifyFlags): Promise<void> {
  const { program, terminal, version, exit } = surface;
  const project = await wireProject(projectFolder(program), version);
  const repo = project.home.repository(project.config.project_id);
  const known = await knownRefs(project);
  const about = name === null ? "all" : await namedCommits(repo, project.root, name);
  const anchor = flags.tip ?? null;
  const { branch, tip, offline } = known;
  const answer = await verifyChain({ repo, tip, branch, about, anchor });
  const report = { ...answer, branch: branch.name, tip, offline, anchor };
  if (flags.json) terminal.out(JSON.stringify(verifyJson(report), null, 2));
  else terminal.out(verifyText(report).join("\n"));
  if (!answer.holds) exit(1);
}

async function namedCommits(repo: string, root: string, name: string): Promise<VerifyQuestion["about"]> {
  const bring = async (wanted: string) => {
    const found = await bringCommit(repo, root, wanted === "" ? "HEAD" : wanted);
    if (found === null) throw UserError.of(verifyAdvice.noCommit(wanted));
    return found;
  };
  const range = /^(.*?)\.\.(?!\.)(.*)$/.exec(name);
  if (range === null) return { commit: await bring(name) };
  const [, from = "", to = ""] = range;
  return { from: await bring(from), to: await bring(to) };
}
