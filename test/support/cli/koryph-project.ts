import { koryphHere } from "./koryph-here.js";

/** The verbs of `koryph project`, with what they print. */
export function koryphProject(...args: string[]): Promise<{ out: string; err: string }> {
  return koryphHere("project", ...args);
}
