/**
 * A text of which some letters are only known when it runs: a mark stands for each such stretch. No real text has
 * these letters, since what is read is cleaned of them.
 */
export const UNKNOWN = "\0";
/** Any letters of a file's name. */
export const ANY = "\u0001";
/** One letter of a file's name. */
export const ONE = "\u0002";

export function isKnown(text: string): boolean {
  return !/[\0-\u0002]/.test(text);
}

/** Only names of files are open, so that it is a name that can be there. */
export function isPattern(text: string): boolean {
  return !isKnown(text) && !text.includes(UNKNOWN);
}

/** Whether it can turn out to be exactly this. */
export function mayBe(text: string, exact: string): boolean {
  if (isKnown(text)) return text === exact;
  const pattern = text.replace(/[\0-\u0002]|[.*+?^${}()|[\]\\]/g, (found) => FORMS[found] ?? `\\${found}`);
  return new RegExp(`^${pattern}$`, "s").test(exact);
}

const FORMS: Readonly<Record<string, string>> = { [UNKNOWN]: ".*", [ANY]: "[^/]*", [ONE]: "[^/]" };

export function cleaned(text: string): string {
  return text.replace(/[\0-\u0002]/g, UNKNOWN);
}

/** A text outside quotes: what matches names of files is open. */
export function withPatterns(text: string): string {
  return cleaned(text)
    .replace(/\*/g, ANY)
    .replace(/\?/g, ONE)
    .replace(/\[[^\]]*\]/g, ANY);
}
