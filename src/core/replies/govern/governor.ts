import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

/** What `koryph governor set` came to. */
export function governorSet(changed: boolean): string {
  return changed
    ? "set; it counts from the next place that is asked for"
    : "nothing changed: it is set so already";
}

export const governorAdvice = {
  nothingToSet: (): Advice => ({
    message: "koryph governor set needs to know what to set",
    hint: "koryph governor set --help lists the settings, koryph governor show tells how they are",
  }),
  unwritable: (file: string, problem: string): Advice => ({
    message: `${file} cannot be read or written: ${plainText(problem)}`,
    hint: "mend its permissions, or make room on the disk",
  }),
  unreadable: ({ file, problem, backup }: { file: string; problem: string; backup: string }): Advice => ({
    message: `${file} cannot be read: ${plainText(problem)}; no agent is started, since nobody can tell how many are at work`,
    hint: `mend the file, or remove it: the agents at work are entered again, and settings start anew; ${backup} has a copy`,
  }),
};
