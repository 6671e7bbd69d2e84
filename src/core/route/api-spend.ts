import { RUNTIMES } from "../runtimes/runtimes.js";

/** Runtimes whose agents can leave a plan that is used up for a key that is paid by use. */
export const SPENDING_RUNTIMES: readonly string[] = RUNTIMES.filter(
  ({ account }) => account.keyVariable !== undefined,
).map(({ name }) => name);

/** The key of `koryph batch`, which nothing else uses. */
const BATCH_KEY = "KORYPH_BATCH_API_KEY";

/** Whether agents of some runtime get this variable wherever it is set: nobody would know who pays. */
export function isOrdinaryCredential(variable: string): boolean {
  return variable === BATCH_KEY || RUNTIMES.some(({ credentials }) => credentials.anyOf.includes(variable));
}
