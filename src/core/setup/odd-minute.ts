/** Of its own for each name, away from the full hour, when GitHub starts schedules late or not at all. */
export function oddMinute(name: string): number {
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7);
  return 7 + 2 * (sum % 23);
}
