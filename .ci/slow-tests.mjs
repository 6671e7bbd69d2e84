// Fails when a file of tests has become too slow: nobody waits for it on a quiet machine, and it holds up all others on
// a loaded one. What is judged is what the last whole `npm test` noted; without one there is nothing to say.
//
// It is no timed assertion: other work on the machine stretches the clock, but hardly what a file computes, and where
// it does (two processes that share a core), it does so for all files alike. So a file is too slow when it computes
// more than 20 s and also more than its share of the run.
import { existsSync, readFileSync } from "node:fs";

const RECORD = new URL("../node_modules/.cache/koryph/test-times.json", import.meta.url);
const MOST_SECONDS = 20;
const MOST_SHARE = 0.08;

const times = existsSync(RECORD) ? Object.entries(JSON.parse(readFileSync(RECORD, "utf8"))) : [];
const whole = times.reduce((sum, [, seconds]) => sum + seconds, 0);
for (const [file, seconds] of times) {
  // A file that is gone was slow in vain.
  if (
    seconds <= MOST_SECONDS ||
    seconds <= whole * MOST_SHARE ||
    !existsSync(new URL(`../${file}`, import.meta.url))
  )
    continue;
  const share = Math.round((seconds / whole) * 100);
  process.stderr.write(
    `${file} computed for ${Math.round(seconds)} s, ${share} % of all tests: split it, share its worlds, or let its short form try less; then npm test notes it anew.\n`,
  );
  process.exitCode = 1;
}
