const WORDS: ReadonlyMap<string, string> = new Map([
  ["merge-pending", "finished"],
  ["merged", "landed"],
]);

/** A slot's status as people are told of it; JSON and the ledger keep the stored one. */
export function statusWord(status: string): string {
  return WORDS.get(status) ?? status;
}
