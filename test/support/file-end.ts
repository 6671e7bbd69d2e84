/** What was made for all tests of a file, and goes with it. Modules may outlive a file, and serve the next. */
const closers: (() => unknown)[] = [];

export function onFileEnd(close: () => unknown): void {
  closers.push(close);
}

export async function endFile(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}
