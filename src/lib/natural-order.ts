// The locale is named, so that the order is the same on every machine.
const collator = new Intl.Collator("en", { numeric: true });

/** As people count: item-3 before item-10. */
export function naturalOrder(a: string, b: string): number {
  return collator.compare(a, b);
}
