import { quotaUsage } from "../../core/usage/quota-book.js";
import type { AccountQuotas, QuotaLook } from "../../ports/govern/account-quotas.js";
import { QuotaFile } from "../home/quota-file.js";
import { MachineUsage, type UsageSettings } from "./machine-usage.js";

/** The accounts of this machine, as they were calibrated and as far as they can be measured. */
export class MachineQuotas implements AccountQuotas {
  readonly #file: QuotaFile;
  readonly #usage: MachineUsage;

  constructor(settings: UsageSettings) {
    this.#file = new QuotaFile(settings.home);
    this.#usage = new MachineUsage(settings);
  }

  async look(): Promise<QuotaLook> {
    const book = await this.#file.read();
    const pools = Object.entries(book.accounts).filter(
      ([, { ceilings }]) => ceilings.fiveHour !== null || ceilings.weekly !== null,
    );
    const looks = pools.map(
      async ([pool]) => [pool, quotaUsage(book, pool, await this.#usage.measure(pool))] as const,
    );
    return { guard: book.guard, accounts: new Map(await Promise.all(looks)) };
  }
}
