import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { type Command, Option } from "commander";
import { AuditLog } from "../../adapters/home/audit-log.js";
import { type KoryphHome, locateHome } from "../../adapters/home/koryph-home.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openStore } from "../../adapters/store/open-store.js";
import { SqlInbox } from "../../adapters/store/sql-inbox.js";
import {
  inboxAdvice,
  inboxJson,
  inboxText,
  meantJobIds,
  rearmedJson,
  rearmedText,
} from "../../core/replies/app/inbox.js";
import { UserError } from "../../lib/user-error.js";
import { LANES, type Lane } from "../../ports/inbox.js";
import type { Surface } from "../program.js";
import { refuseUsage } from "../text/refuse-usage.js";

/** More than anybody reads; whoever wants all of it takes the JSON. */
const SHOWN = 200;

interface ListFlags {
  readonly json?: true;
  readonly dead?: true;
  readonly lane?: Lane;
}

interface RetryFlags {
  readonly json?: true;
  readonly allDead?: true;
}

export function addInbox(inbox: Command, { terminal, exit }: Surface): void {
  const json = `print JSON, as ${docsPath("json.md")} describes it`;
  inbox
    .command("list")
    .description("show what waits, what is in hand and what was given up")
    .option("--dead", "only what was given up")
    .addOption(new Option("--lane <lane>", "only this lane").choices(LANES))
    .option("--json", json)
    .action(({ json: asJson, dead, lane }: ListFlags) =>
      withInbox(async (jobs) => {
        const filter = { lane, state: dead ? ("dead" as const) : undefined };
        if (asJson) return terminal.out(JSON.stringify(inboxJson(await jobs.list(filter)), null, 2));
        const counts = await jobs.depth();
        const found = await jobs.list({ ...filter, most: SHOWN });
        terminal.out(inboxText(found, { counts, filter, now: Date.now() }).join("\n"));
      }),
    );
  inbox
    .command("retry")
    .description("let jobs that were given up be tried again, and those that wait for their next try at once")
    .argument("[id...]", "which jobs, as `koryph inbox list` names them")
    .option("--all-dead", "all that were given up")
    .option("--json", json)
    .action((ids: string[], { json: asJson, allDead }: RetryFlags, command: Command) => {
      if (ids.length > 0 === (allDead ?? false)) refuseUsage(command, inboxAdvice.retryWhat());
      return withInbox(async (jobs, home) => {
        const answers = allDead
          ? (await jobs.rearmAllDead()).map((id) => ({ id, answer: "rearmed" as const }))
          : await Promise.all([...new Set(ids)].map((id) => rearm(jobs, id)));
        const rearmed = answers.filter(({ answer }) => answer === "rearmed").map(({ id }) => id);
        if (rearmed.length > 0) await record(home, rearmed);
        terminal.out(
          asJson ? JSON.stringify(rearmedJson(answers), null, 2) : rearmedText(answers).join("\n"),
        );
        if (rearmed.length < answers.length) exit(1);
      });
    });
}

/** The id in the answer is the one the job goes by, whichever was typed. */
async function rearm(jobs: SqlInbox, typed: string) {
  for (const id of meantJobIds(typed)) {
    const answer = await jobs.rearm(id);
    if (answer !== "absent") return { id, answer };
  }
  return { id: typed, answer: "absent" as const };
}

/** Looking at an inbox that is not there makes none. */
async function withInbox(action: (inbox: SqlInbox, home: KoryphHome) => Promise<void>): Promise<void> {
  const home = locateHome();
  const file = home.appStore;
  if (!existsSync(file)) throw UserError.of(inboxAdvice.absent(file));
  const store = await openStore(file);
  try {
    await action(new SqlInbox(store), home);
  } finally {
    await store.close();
  }
}

async function record(home: KoryphHome, ids: readonly string[]): Promise<void> {
  const actor = operator();
  const detail = { ids };
  await new AuditLog(home.auditLog).record({ kind: "inbox.retry", projectId: null, actor, detail });
}

/** In a container, the user often has no name. */
function operator(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
