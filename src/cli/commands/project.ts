import type { Command } from "commander";
import { AuditLog } from "../../adapters/home/audit-log.js";
import { locateHome, openHome } from "../../adapters/home/koryph-home.js";
import { lookAtLock } from "../../adapters/home/local-lock.js";
import { pinnedAccounts } from "../../adapters/home/pinned-accounts.js";
import { Registry } from "../../adapters/home/registry.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openProject } from "../../adapters/project/open-project.js";
import { remoteUrl } from "../../adapters/project/remote-url.js";
import type { RegistryEntry } from "../../core/config/registry-entry.js";
import { pinsAnything } from "../../core/govern/account-pin.js";
import { registryAdvice } from "../../core/replies/config/home.js";
import { registered, registryJson, registryRows } from "../../core/replies/config/registry.js";
import {
  type IndexedRun,
  newestFirst,
  noRuns,
  RunIndex,
  runIndexJson,
  runIndexText,
} from "../../core/replies/run/run-index.js";
import { forgottenPins } from "../../core/replies/runtimes/account-report.js";
import { plainText } from "../../lib/plain-text.js";
import { table } from "../../lib/table.js";
import { UserError } from "../../lib/user-error.js";
import { wireProject } from "../../wiring/wire-project.js";
import { positiveNumber } from "../arguments.js";
import type { Surface } from "../program.js";
import { operatorName } from "../wiring/operator-name.js";
import { projectFolder } from "../wiring/project-folder.js";
import { addProjectAccount } from "./accounts/project-account.js";

const RUNS_SHOWN = 20;

export function addProject(project: Command, { program, terminal, version }: Surface): void {
  project
    .command("add")
    .description("register a project; the first run does it too")
    .argument("[folder]", "a folder of the project, instead of this one")
    .action(async (folder: string | undefined) => {
      const { root, config } = await openProject(folder ?? projectFolder(program), version);
      const home = await openHome();
      const remote = await remoteUrl(root, config.ledger.remote);
      const answer = await new Registry(home).register({ id: config.project_id, root, remote });
      if (answer !== "unchanged") {
        const detail = { answer, root, remote };
        await new AuditLog(home.auditLog).record({
          kind: "register",
          projectId: config.project_id,
          actor: operatorName(),
          detail,
        });
      }
      terminal.out(registered(answer, config.project_id, root));
    });
  project
    .command("list")
    .description("show the registered projects")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ json }: { json?: true }) => {
      const { entries, problems } = await new Registry(locateHome()).list();
      for (const { path, problem } of problems)
        terminal.err(`koryph: ${path} is no entry: ${plainText(problem)}`);
      if (json) return terminal.out(JSON.stringify(registryJson(entries), null, 2));
      if (entries.length === 0)
        return terminal.out("no project is registered; `koryph project add` registers one");
      terminal.out(table(registryRows(entries)).join("\n"));
    });
  project
    .command("runs")
    .description(
      "the runs of all registered projects, newest first, as this machine's copies of their ledgers have them",
    )
    .option("-n <count>", "at most so many", positiveNumber, RUNS_SHOWN)
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ n, json }: { n: number; json?: true }) => {
      const { entries } = await new Registry(locateHome()).list();
      const runs: IndexedRun[] = [];
      for (const entry of entries) {
        try {
          runs.push(...(await runsOf(entry, version)));
        } catch (error) {
          // What is wrong with one project hides no other.
          if (!(error instanceof UserError)) throw error;
          terminal.err(`koryph: ${entry.id}: ${plainText(error.message)}`);
        }
      }
      const shown = newestFirst(runs).slice(0, n);
      if (json) return terminal.out(JSON.stringify(runIndexJson(shown), null, 2));
      terminal.out(shown.length === 0 ? noRuns() : runIndexText(shown).join("\n"));
    });
  addProjectAccount(project, { terminal, version });
  project
    .command("remove")
    .description("forget a project; its checkout and its state are kept")
    .argument("<id>", "the project's id")
    .action(async (id: string) => {
      const home = await openHome();
      const accounts = await pinnedAccounts(home, id).catch(() => ({ project: id, pins: {} }));
      const answer = await new Registry(home).remove(id);
      if (answer === "absent") throw UserError.of(registryAdvice.absent(id));
      await new AuditLog(home.auditLog).record({
        kind: "remove",
        projectId: id,
        actor: operatorName(),
        detail: {},
      });
      if (pinsAnything(accounts)) terminal.out(forgottenPins(id));
      terminal.out(`removed ${id}; its state is kept in ${home.projectHome(id)}`);
      terminal.out(`  undo: git -C ${home.registryFolder} revert --no-edit HEAD`);
    });
}

/** Without asking any remote: an index of many projects must not wait for one of them. */
async function runsOf({ id, root }: RegistryEntry, version: string): Promise<IndexedRun[]> {
  const { ledger, home } = await wireProject(root, version, "looking");
  const index = new RunIndex();
  for await (const { reading, repeat } of ledger.log())
    if (reading.kind === "event" && !repeat) index.add(reading.event);
  const engine = await lookAtLock(home.engineLock(id));
  const newest = index.list().at(-1);
  return index.list().map((run) => ({
    project: id,
    run,
    underWay: run === newest && run.ended === null && engine?.gone === false,
  }));
}
