import { plainText } from "../../../lib/plain-text.js";

/** What the server's log says of buttons on check runs. */
export const buttonWords = {
  pressed: (): string => "answered a button",
  unconfirmed: (): string => "GitHub has no record of this press of a button yet",
  unknownRun: (run: string): string => `the ledger does not have run ${plainText(run)} yet`,
};
