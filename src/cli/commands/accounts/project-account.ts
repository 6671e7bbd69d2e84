import type { Command } from "commander";
import { accountDigest } from "../../../adapters/accounts/account-digest.js";
import { choosePin } from "../../../adapters/accounts/choose-pin.js";
import { verifyAccount } from "../../../adapters/accounts/require-account.js";
import { AuditLog } from "../../../adapters/home/audit-log.js";
import { locateHome, openHome } from "../../../adapters/home/koryph-home.js";
import { pinnedAccounts } from "../../../adapters/home/pinned-accounts.js";
import { Registry } from "../../../adapters/home/registry.js";
import { docsPath } from "../../../adapters/project/docs-path.js";
import { openProject } from "../../../adapters/project/open-project.js";
import type { AccountPin, PinnedAccounts } from "../../../core/govern/account-pin.js";
import { registryAdvice } from "../../../core/replies/config/home.js";
import {
  accountReport,
  accountsJson,
  pinnedRuntimes,
  pinnedText,
} from "../../../core/replies/runtimes/account-report.js";
import { accountAdvice } from "../../../core/replies/runtimes/account-words.js";
import type { RuntimeDescriptor } from "../../../core/runtimes/runtime-descriptor.js";
import { builtInRuntime, RUNTIMES } from "../../../core/runtimes/runtimes.js";
import { UserError } from "../../../lib/user-error.js";
import type { Surface } from "../../program.js";
import { refuseUsage } from "../../text/refuse-usage.js";
import { operatorName } from "../../wiring/operator-name.js";

interface AccountFlags {
  readonly runtime?: string;
  readonly profile?: string;
  readonly variable?: string;
  readonly expect?: string;
  readonly expectKey?: true;
  readonly forget?: true;
  readonly json?: true;
}

/** Options that exclude each other, the second by the first. */
const APART: readonly (readonly [keyof AccountFlags, keyof AccountFlags])[] = [
  ["expect", "expectKey"],
  ["expect", "variable"],
  ["profile", "variable"],
  ...(["expect", "expectKey", "profile", "variable"] as const).map((key) => ["forget", key] as const),
];

const OPTIONS: Readonly<Record<keyof AccountFlags, string>> = {
  runtime: "--runtime",
  profile: "--profile",
  variable: "--variable",
  expect: "--expect",
  expectKey: "--expect-key",
  forget: "--forget",
  json: "--json",
};

export function addProjectAccount(
  project: Command,
  { terminal, version }: Pick<Surface, "terminal" | "version">,
): void {
  project
    .command("account")
    .description("show whose account a project's agents work on, or pin it: runs then refuse any other")
    .argument("<id>", "the project's id")
    .option("--runtime <name>", "the runtime that is pinned, instead of the project's default one")
    .option("--profile <folder>", "the config folder that agents get, instead of your own")
    .option("--expect <email>", "the address of the account that the profile must be signed in to")
    .option("--expect-key", "the key that is there now; only its fingerprint is kept")
    .option("--variable <name>", "the variable that holds the key, where more than one is set")
    .option("--forget", "pin nothing for the runtime any more")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it`)
    .action(async (id: string, flags: AccountFlags, command: Command) => {
      const asked = refused(flags);
      if (asked !== null) refuseUsage(command, asked);
      if (flags.forget || flags.expect !== undefined || flags.expectKey) {
        const said = await change(id, flags, version);
        if (!flags.json) terminal.out(said);
      }
      const home = locateHome();
      if ((await new Registry(home).find(id)) === null) throw UserError.of(registryAdvice.absent(id));
      const accounts = await pinnedAccounts(home, id);
      const examined = await examineAccounts(accounts);
      terminal.out(
        flags.json
          ? JSON.stringify(accountsJson(accounts, examined), null, 2)
          : accountReport(accounts, examined, accountDigest).join("\n"),
      );
    });
}

/** Every pin of a project, looked at. */
async function examineAccounts(accounts: PinnedAccounts) {
  return Promise.all(
    pinnedRuntimes(accounts, RUNTIMES).map(async ({ runtime, pin }) => ({
      runtime,
      pin,
      decision: await verifyAccount(runtime, accounts, process.env),
    })),
  );
}

function refused(flags: AccountFlags) {
  for (const [first, second] of APART)
    if (flags[first] !== undefined && flags[second] !== undefined)
      return accountAdvice.alone(OPTIONS[first], OPTIONS[second]);
  const expects = flags.expect !== undefined || flags.expectKey;
  const placed = (["profile", "variable"] as const).find((key) => flags[key] !== undefined);
  return placed !== undefined && !expects ? accountAdvice.nothingExpected(OPTIONS[placed]) : null;
}

async function change(id: string, flags: AccountFlags, version: string): Promise<string> {
  const registry = new Registry(locateHome());
  const entry = await registry.find(id);
  if (entry === null) throw UserError.of(registryAdvice.absent(id));
  const name = flags.runtime ?? (await openProject(entry.root, version)).config.default_runtime;
  const pin = flags.forget ? null : await choosePin(credentialed(name), flags, process.env);
  const answer = await registry.pin(id, name, pin);
  if (answer === "absent") throw UserError.of(registryAdvice.absent(id));
  if (answer !== "unchanged")
    await new AuditLog((await openHome()).auditLog).record({
      kind: "account",
      projectId: id,
      actor: operatorName(),
      detail: { answer, runtime: name, ...(pin !== null && markOf(pin)) },
    });
  return pinnedText(id, name, answer);
}

/** Of an address its fingerprint, as everywhere but in the registry. */
function markOf({ expect }: AccountPin) {
  const fingerprint =
    expect.mode === "login" ? accountDigest(expect.email.trim().toLowerCase()) : expect.fingerprint;
  return { mode: expect.mode, fingerprint };
}

function credentialed(name: string): RuntimeDescriptor {
  const runtime = builtInRuntime(name);
  if (runtime === null) throw UserError.of(accountAdvice.noCredential(name));
  return runtime;
}
