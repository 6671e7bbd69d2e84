import type { Advice } from "../../../lib/user-error.js";

export const ledgerVerbAdvice = {
  engineRuns: (holder: string): Advice => ({
    message: `an engine runs (${holder}), and it rolls the ledger by itself`,
    hint: "wait for it, or end it with `koryph drain`",
  }),
  raced: (): Advice => ({
    message: "somebody appended while the ledger was being rolled, so nothing was changed",
    hint: "try again",
  }),
  purgeWhat: (): Advice => ({
    message: "purge takes --id <event> or --text <text>",
    hint: "give a secret with --text - and type it, so that it stays out of your shell's history",
  }),
};
