/** The version in what a program prints for `--version`; null when there is none. */
export function versionIn(text: string): string | null {
  return /\b\d{1,9}\.\d{1,9}\.\d{1,9}\b/.exec(text)?.[0] ?? null;
}
