let collator: Intl.Collator | undefined;

/** As people count: item-3 before item-10. */
export function naturalOrder(a: string, b: string): number {
  const counted = countOrder(a, b);
  if (counted !== null) return counted;
  // The locale is named, so that the order is the same on every machine.
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b);
}

const COUNTED = /^(.*?)(\d{1,15})$/s;

/** For names that differ in the number at their end, as most do: to make a collator takes longer than to sort them. */
function countOrder(a: string, b: string): number | null {
  const [, name, number] = COUNTED.exec(a) ?? [];
  const [, other, otherNumber] = COUNTED.exec(b) ?? [];
  return name !== undefined && name === other ? Number(number) - Number(otherNumber) : null;
}
