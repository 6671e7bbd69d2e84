import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import { shortSha } from "../land/quote.js";

const REF = "refs/koryph/receipts";

export const receiptAdvice = {
  refused: (stderr: string): Advice => ({
    message: `the remote does not take the receipt: ${plainText(stderr.trim())}`,
    hint: `see that you may push ${REF}; koryph then goes on by itself`,
  }),
  moved: (): Advice => ({
    message: `${REF} was moved or taken away while koryph read it`,
    hint: "try again",
  }),
  busy: (): Advice => ({
    message: `others moved ${REF} during each try`,
    hint: "try again",
  }),
};

/** Said after a landing, of the commit that landed. `signed` is false where the project has no key. */
export function receiptLine(receipt: string, head: string, signed: boolean): string {
  if (!signed) return `receipt ${shortSha(receipt)}, unsigned: it proves nothing until koryph signing init`;
  return `receipt ${shortSha(receipt)}; koryph verify ${shortSha(head)} checks it`;
}
