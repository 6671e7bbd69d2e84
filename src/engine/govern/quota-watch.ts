import type { AccountMarks } from "../../core/govern/account-pin.js";
import type { QuotaUsage } from "../../core/govern/quota-level.js";
import { effectTrouble } from "../../core/replies/run/effect-trouble.js";
import { payingAccounts } from "../../core/run/plan/paying-accounts.js";
import { quotaFacts, quotaReports } from "../../core/run/plan/quota-facts.js";
import type { QuotaFacts } from "../../core/run/plan/quota-refusal.js";
import { UserError } from "../../lib/user-error.js";
import type { QuotaLook } from "../../ports/govern/account-quotas.js";
import type { EngineParts, EngineSettings } from "../engine-parts.js";
import type { Troubles } from "../faults/troubles.js";

/** Looking reads what runtimes have written, or starts ccusage. */
const LOOK_EVERY_MS = 60_000;
/** What is older is not decided by: the machine was asleep, or a look takes long. */
const STALE_MS = 120_000;

/** How the accounts stand: looked at now and then beside the loop, and told when it changes. */
export class QuotaWatch {
  readonly #parts: EngineParts;
  readonly #settings: EngineSettings;
  readonly #troubles: Troubles;
  #known: QuotaLook | null = null;
  #lookedAt = 0;
  #looking: Promise<void> | null = null;
  readonly #told = new Map<string, string>();

  constructor(parts: EngineParts, settings: EngineSettings, troubles: Troubles) {
    this.#parts = parts;
    this.#settings = settings;
    this.#troubles = troubles;
  }

  /** The first look is waited for: until then nobody knows whether anything may be started. */
  async facts(accounts?: AccountMarks): Promise<QuotaFacts> {
    const { steady, now, quotas } = this.#parts;
    if (this.#known === null) {
      const begun = steady();
      this.#known = await quotas.look();
      this.#lookedAt = begun;
    } else await this.#refresh(this.#known);
    const { config, options } = this.#settings;
    const facts = quotaFacts(this.#known, config.quota, { billingGuard: options.billingGuard, now: now() });
    this.#tell(facts, accounts);
    return facts;
  }

  async settled(): Promise<void> {
    await this.#looking;
  }

  async #refresh(known: QuotaLook): Promise<void> {
    const age = this.#parts.steady() - this.#lookedAt;
    if (age >= LOOK_EVERY_MS) this.#looking ??= this.#lookAgain(known);
    if (age >= STALE_MS) await this.#looking;
  }

  async #lookAgain(before: QuotaLook): Promise<void> {
    const begun = this.#parts.steady();
    try {
      this.#known = await this.#parts.quotas.look();
      this.#troubles.over("quota");
    } catch (error) {
      this.#known = { ...before, accounts: new Map([...before.accounts].map(unmeasured)) };
      const why = error instanceof Error ? error.message : String(error);
      this.#troubles.say("quota", error instanceof UserError ? why : effectTrouble.outside("the quota", why));
    } finally {
      this.#lookedAt = begun;
      this.#looking = null;
    }
  }

  #tell(facts: QuotaFacts, accounts: AccountMarks | undefined): void {
    if (facts.guard === "off") return;
    const paying = payingAccounts({ quota: facts, accounts, options: this.#settings.options });
    for (const report of quotaReports(facts, paying)) {
      const { pool, level, window, measured, guard, paidBy = "" } = report;
      const said = `${level} ${window} ${measured} ${guard} ${paidBy}`;
      const before = this.#told.get(pool) ?? "ok";
      this.#told.set(pool, said);
      const stillFine = level === "ok" && before.startsWith("ok");
      if (before !== said && !stillFine) this.#parts.report({ kind: "quota", ...report });
    }
  }
}

/** What nobody can look at any more counts as used up. */
function unmeasured([pool, { fiveHour, weekly }]: readonly [string, QuotaUsage]) {
  const usage = { fiveHour: { ...fiveHour, spentUsd: null }, weekly: { ...weekly, spentUsd: null } };
  return [pool, usage] as const;
}
