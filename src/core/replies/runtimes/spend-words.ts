import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import { PROJECT_FILE } from "../../config/project-file.js";
import type { BillingRefusal } from "../../govern/billing/choose-billing.js";
import type { SpendingKey } from "../../run/plan/paying-accounts.js";

interface Spender {
  readonly runtime: string;
  /** Null where the project names none. */
  readonly variable: string | null;
}

const FLAG = "--allow-api-spend";

export const spendAdvice = {
  refused: (code: BillingRefusal, { runtime, variable }: Spender): Advice => {
    switch (code) {
      case "spend_not_opted_in":
        return {
          message: `${FLAG} was given, and the project names no key that may be spent on`,
          hint: `name its variable in ${PROJECT_FILE}: "api_spend": {"${runtime}": {"key": "SPEND_KEY"}}; or leave the flag out`,
        };
      case "spend_without_budget":
        return {
          message: `${FLAG} was given without a budget: nothing would bound what agents of ${runtime} spend on the key`,
          hint: "say how much the run may cost at most, such as --budget 20",
        };
      case "spend_key_missing":
        return {
          message: `${FLAG} was given, and ${variable ?? ""}, which ${PROJECT_FILE} names for runtime ${runtime}, is not set`,
          hint: "set it to the API key where koryph is started, or leave the flag out",
        };
      case "spend_pinned_elsewhere":
        return {
          message: `${FLAG} was given, and the project pins another account for runtime ${runtime} than the key in ${variable ?? ""}`,
          hint: `pin the key itself, forget the pin with \`koryph project account\`, or take ${runtime} out of api_spend in ${PROJECT_FILE}`,
        };
      case "spend_unmeasured":
      case "spend_not_asked_for":
        return { message: `nothing is spent on a key for runtime ${runtime}`, hint: `give ${FLAG}` };
    }
  },
  notAKey: ({ runtime, variable }: Spender): Advice => ({
    message: `${variable ?? ""} holds nothing that looks like an API key, and runtime ${runtime} is to be billed to it`,
    hint: "set it to a key as the provider makes it, such as sk-ant-api…; koryph takes none that it could not keep out of its records",
  }),
};

/** Said when a run begins that may spend on a key. */
export function spendAllowedLine(runtime: string, key: SpendingKey, budgetUsd: number): string {
  return `API spending is allowed: once the plan of ${runtime} is used up, new agents are billed by use to the key ${key.fingerprint} in ${key.variable}; this run's budget of $${budgetUsd.toFixed(2)} bounds all agents together`;
}

/** Behind the account of an agent. */
export function billedText(fingerprint: string): string {
  return `BILLED BY USE to API key ${plainText(fingerprint)}`;
}
