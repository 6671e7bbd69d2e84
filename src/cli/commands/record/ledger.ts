import type { Command } from "commander";
import { ledgerVerbAdvice } from "../../../core/replies/ledger/ledger-verbs.js";
import { engineAdvice, holderText } from "../../../core/replies/run/engine-line.js";
import { plainText } from "../../../lib/plain-text.js";
import { UserError } from "../../../lib/user-error.js";
import { wireProject } from "../../../wiring/wire-project.js";
import type { Surface } from "../../program.js";
import { refuseUsage } from "../../text/refuse-usage.js";
import { lookAtEngine } from "../../wiring/observe-engine.js";
import { projectFolder } from "../../wiring/project-folder.js";

export function addLedger(ledger: Command, { program, terminal, version, exit }: Surface): void {
  const open = () => wireProject(projectFolder(program), version);
  ledger
    .command("check")
    .description("read the whole current chain and say what is in it")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: true }) => {
      const project = await open();
      await project.ledger.refresh();
      const report = await project.ledger.check();
      if (json) terminal.out(JSON.stringify(report, null, 2));
      else {
        const { events, commits, unshared, sizeKib, repeats } = report;
        terminal.out(
          `${events} events in ${commits} commits, ${repeats} repeats, ${unshared} not shared yet, ${sizeKib} KiB`,
        );
        for (const { commit, reason } of report.quarantined)
          terminal.out(`  ${commit.slice(0, 10)} quarantined: ${plainText(reason)}`);
        for (const { commit, problem } of report.shape) terminal.out(`  ${commit.slice(0, 10)} ${problem}`);
        for (const [type, count] of Object.entries(report.unknown))
          terminal.out(`  ${count} of unknown type ${plainText(type)}`);
      }
      if (report.quarantined.length > 0 || report.shape.length > 0) exit(1);
    });
  ledger
    .command("roll")
    .description("start a new chain with the folded state and archive the old one")
    .action(async () => {
      const project = await open();
      const { state, engine } = await lookAtEngine(project, terminal.err);
      if (engine?.state === "gone") throw UserError.of(engineAdvice.leaseLeft(engine.pid));
      if (state.lease !== null) {
        const { holder, host } = state.lease;
        throw UserError.of(ledgerVerbAdvice.engineRuns(holderText(holder, host)));
      }
      await project.ledger.share("now");
      const view = await project.ledger.refresh();
      if (view.tip === null) return terminal.out("the ledger is empty");
      const result = await project.ledger.roll(view);
      if (result.kind === "lost") throw UserError.of(ledgerVerbAdvice.raced());
      terminal.out("rolled: a new chain was started, the old one is archived");
    });
  ledger
    .command("purge")
    .description("drop events that hold a leaked secret, from the chain and from archives")
    .option("--id <event>", "the event with this id")
    .option("--text <text>", "every event that holds this text; read from standard input when it is -")
    .action(async ({ id, text }: { id?: string; text?: string }, command: Command) => {
      if ((id === undefined) === (text === undefined)) refuseUsage(command, ledgerVerbAdvice.purgeWhat());
      const target = id !== undefined ? { id } : { text: text === "-" ? await readInput() : (text ?? "") };
      const project = await open();
      const { events, archives } = await project.ledger.purge(target);
      terminal.out(
        `${events} events dropped, ${archives.length} archives deleted; revoke the secret all the same`,
      );
    });
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8").trim();
}
