import type { Paint } from "../../../lib/paint.js";
import { plainLines } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

/** A patch with its lines marked as git marks them. What agents wrote steers no terminal. */
export function diffText(diff: string, paint: Paint): string {
  return plainLines(diff.trimEnd())
    .split("\n")
    .map((line) => marked(line, paint))
    .join("\n");
}

function marked(line: string, paint: Paint): string {
  if (/^(diff |index |--- |\+\+\+ |@@ )/.test(line)) return paint.faint(line);
  if (line.startsWith("+")) return paint.good(line);
  return line.startsWith("-") ? paint.warning(line) : line;
}

export const beadAdvice = {
  noCommits: (bead: string): Advice => ({
    message: `${bead} has no commits`,
    hint: `\`koryph show ${bead}\` tells how it stands`,
  }),
  elsewhere: (bead: string): Advice => ({
    message: `the commits of ${bead} are neither on this machine nor saved on the remote`,
    hint: `look on the machine that worked on it; \`koryph show ${bead}\` tells how it stands`,
  }),
};
