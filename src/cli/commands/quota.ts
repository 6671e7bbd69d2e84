import { Argument, type Command, InvalidArgumentError } from "commander";
import { AuditLog } from "../../adapters/home/audit-log.js";
import { enterHome, locateHome, openHome } from "../../adapters/home/koryph-home.js";
import { QuotaFile } from "../../adapters/home/quota-file.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openProject } from "../../adapters/project/open-project.js";
import { MachineUsage } from "../../adapters/usage/machine-usage.js";
import { pinnedFolders } from "../../adapters/usage/pinned-folders.js";
import { RECORD_KINDS } from "../../adapters/usage/record-kinds.js";
import { calibrate } from "../../core/govern/calibrate.js";
import { GUARD_MODES, type GuardMode, guardMode } from "../../core/govern/guard-mode.js";
import { QUOTA_LADDER, type QuotaWindow } from "../../core/govern/quota-level.js";
import { quotaAdvice } from "../../core/replies/quota/quota-advice.js";
import { calibratedLines, guardedLine } from "../../core/replies/quota/quota-done.js";
import { quotaJson, quotaLines } from "../../core/replies/quota/quota-show.js";
import { WINDOW_WORDS } from "../../core/replies/quota/quota-words.js";
import { usualPool } from "../../core/runtimes/pool-of-agent.js";
import { RUNTIMES } from "../../core/runtimes/runtimes.js";
import { withObservation } from "../../core/usage/quota-book.js";
import { UserError } from "../../lib/user-error.js";
import { sumOfMoney, timeSpan } from "../arguments.js";
import type { Surface } from "../program.js";
import { operatorName } from "../wiring/operator-name.js";
import { projectFolder } from "../wiring/project-folder.js";

const WINDOWS = Object.entries(WINDOW_WORDS) as [QuotaWindow, string][];

export function addQuota(quota: Command, surface: Surface): void {
  const { terminal } = surface;
  quota
    .command("show")
    .description(
      "what was spent of each account's five hours and week, where the numbers come from, and how old they are",
    )
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async ({ json }: { json?: true }) => {
      const view = await lookAtQuota(surface);
      terminal.out(json ? JSON.stringify(quotaJson(view), null, 2) : quotaLines(view).join("\n"));
    });
  quota
    .command("calibrate")
    .description("say how full the provider shows a window just now, so that koryph knows what it holds")
    .addArgument(new Argument("<window>", "which window").choices(WINDOWS.map(([, word]) => word)))
    .requiredOption("--percent <n>", "how much of it the provider shows as used", percentage)
    .option(
      "--runtime <name>",
      "whose account; a pinned one by the name that koryph quota show gives it",
      RUNTIMES[0]?.name,
    )
    .option("--usd <sum>", "what was spent in it, instead of what koryph measures", sumOfMoney)
    .action((word: string, flags: CalibrateFlags) => calibrateWindow(word, flags, surface));
  quota
    .command("guard")
    .description("what the quota does on this machine: keep agents back, only say that it would, or nothing")
    .addArgument(new Argument("<mode>", "what it does").choices(GUARD_MODES))
    .option("--for <time>", "only so long, such as 2h; then the guard is on again", timeSpan)
    .action(async (mode: GuardMode, { for: ms }: { for?: number }) => {
      const now = Date.now();
      const guard = { mode, until: ms === undefined ? null : now + ms };
      const home = await openHome();
      await new QuotaFile(home).change((book) => ({ ...book, guard }));
      await new AuditLog(home.auditLog).record({
        kind: "quota-guard",
        projectId: null,
        actor: operatorName(),
        detail: guard,
      });
      terminal.out(guardedLine(guard, now));
    });
}

interface CalibrateFlags {
  readonly percent: number;
  readonly runtime: string;
  readonly usd?: number;
}

async function calibrateWindow(
  word: string,
  { percent, runtime, usd: given }: CalibrateFlags,
  { terminal }: Surface,
): Promise<void> {
  const [window] = WINDOWS.find(([, each]) => each === word) ?? ["fiveHour"];
  const pool = usualPool(runtime);
  const home = await openHome();
  const file = new QuotaFile(home);
  // Whatever is wrong with the file is said before anything is measured.
  await file.read();
  const usd = given ?? (await measuredUsd(pool, window));
  const found = calibrate(window, usd, percent);
  if (found.kind === "refused") throw UserError.of(quotaAdvice.notCalibrated(pool, window, found.code));
  const from = { usd, percent, at: new Date().toISOString() };
  await file.change((book) => withObservation(book, pool, found, from));
  const detail = { account: pool, window, ceiling_usd: found.ceilingUsd, ...from };
  await new AuditLog(home.auditLog).record({
    kind: "quota-calibrate",
    projectId: null,
    actor: operatorName(),
    detail,
  });
  terminal.out(calibratedLines(await file.read(), { pool, ...found }).join("\n"));
}

async function measuredUsd(pool: string, window: QuotaWindow): Promise<number> {
  const measured = await measureHere().measure(pool);
  if (measured.spent === null) throw UserError.of(quotaAdvice.unmeasured(pool, window, measured));
  return measured.spent[window];
}

function measureHere(): MachineUsage {
  return new MachineUsage({ home: locateHome(), env: process.env, now: Date.now });
}

async function lookAtQuota(surface: Surface) {
  const home = await enterHome();
  const book = await new QuotaFile(home).read();
  const { guard: project, ...ladder } = (await quotaSettings(surface)) ?? {
    ...QUOTA_LADDER,
    guard: undefined,
  };
  const usage = measureHere();
  const { folders: pinned } = await pinnedFolders(home);
  const known = [
    ...new Set([...RECORD_KINDS.map(({ pool }) => pool), ...pinned.keys(), ...Object.keys(book.accounts)]),
  ];
  const looks = await Promise.all(known.map(async (pool) => ({ pool, measured: await usage.measure(pool) })));
  // Nobody wants to read of a program that was never used here.
  const accounts = looks.filter(
    ({ pool, measured }) =>
      pool === "" || measured.spent !== null || pinned.has(pool) || Object.hasOwn(book.accounts, pool),
  );
  const now = Date.now();
  const guard = guardMode(
    null,
    project === undefined ? null : { mode: project, until: null },
    book.guard,
    now,
  );
  return { book, accounts, guard, ladder, now };
}

/** Null outside a project: its levels and its guard are one's own. */
async function quotaSettings({ program, version, terminal }: Surface) {
  try {
    return (await openProject(projectFolder(program), version)).config.quota;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.err(`koryph: no project's settings are taken into account: ${error.message}`);
    return null;
  }
}

function percentage(text: string): number {
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError("It takes a percentage such as 40.");
  return Number(text);
}
