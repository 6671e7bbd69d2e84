import {
  type AllowedSigner,
  type AllowedSigners,
  linesNaming,
  RECEIPT_NAMESPACE,
} from "./allowed-signers.js";

/**
 * Who signs receipts with this key, at this time, according to a list of signers; null when nobody does. Only a line
 * that names the namespace itself counts: one without namespaces would let everybody who signs commits write receipts,
 * and a pattern such as `*` hardly means to.
 */
export function receiptSigner(
  publicKey: string,
  { allowed, at }: { readonly allowed: AllowedSigners; readonly at: Date },
): string | null {
  const line = linesNaming(publicKey, allowed).find((each) => isForReceipts(each) && isWithin(each, at));
  return line === undefined ? null : line.principals.join(",");
}

/** Whether the line lets its key sign receipts, at whatever time. */
export function isForReceipts({ namespaces }: AllowedSigner): boolean {
  // With an exclamation mark ssh-keygen takes a namespace out again.
  return namespaces?.includes(RECEIPT_NAMESPACE) === true && !namespaces.some((each) => each.startsWith("!"));
}

function isWithin({ validAfter, validBefore }: AllowedSigner, at: Date): boolean {
  const time = at.getTime();
  return (
    (validAfter === null || time >= timeOf(validAfter)) &&
    (validBefore === null || time <= timeOf(validBefore))
  );
}

/** `YYYYMMDD[HHMM[SS]][Z]`: of this machine's time zone without the Z, as ssh-keygen reads it. */
function timeOf(text: string): number {
  const [, year = "", month = "", day = "", hours = "00", minutes = "00", seconds = "00", zone] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${zone ?? ""}`);
}
