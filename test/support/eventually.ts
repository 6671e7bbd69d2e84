import { vi } from "vitest";

/** Waits until the assertion holds, for as long as a loaded machine may take. Vitest itself gives up after a second. */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: 60_000, interval: 20 });
}
