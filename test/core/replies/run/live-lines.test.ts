import { expect, test } from "vitest";
import { liveLines } from "../../../../src/core/replies/run/live-lines.js";
import { leftAgentsLine } from "../../../../src/core/replies/run/progress.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { displayWidth } from "../../../../src/lib/display-width.js";
import { PLAIN } from "../../../../src/lib/paint.js";
import { slot } from "../../../support/core/slots.js";

const NOW = Date.parse("2026-01-01T12:00:00Z");
const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1000).toISOString();
const size = { columns: 60, rows: 24 };
const lines = (slots: readonly Slot[], word = "", of = size) =>
  liveLines({ slots, word: () => word, now: NOW }, of, PLAIN);

test("a line for each bead in hand, with what it is at, for how long, and its agent's last word", () => {
  const shown = lines(
    [
      slot({ bead: "o-10", at: at(5) }),
      slot({ bead: "o-2", task: "review", at: at(192) }),
      slot({ bead: "o-3", status: "dispatching", at: at(0) }),
      slot({ bead: "o-4", status: "landing", at: at(61) }),
      slot({ bead: "o-5", stopping: { why: "", force: false }, at: at(1) }),
      slot({ bead: "o-6", status: "passed", at: at(1) }),
      slot({ bead: "o-7", status: "queued" }),
      slot({ bead: "o-8", status: "merged" }),
      slot({ bead: "o-9", status: "conflict" }),
      slot({ bead: "o-11", status: "blocked" }),
    ],
    "→ Bash: npm test",
  );
  expect(shown).toEqual([
    "o-2   review     3m 12s  → Bash: npm test",
    "o-3   starting   0s      → Bash: npm test",
    "o-4   landing    1m 01s  → Bash: npm test",
    "o-5   stopping   1s      → Bash: npm test",
    "o-6   checking   1s      → Bash: npm test",
    "o-10  attempt 1  5s      → Bash: npm test",
    "1 queued, 1 landed, 1 blocked, 1 in conflict",
  ]);
});

test("before anything is taken there is nothing to see", () => {
  expect(lines([])).toEqual([]);
});

test("an agent that has said nothing is shown with its bead's title", () => {
  expect(lines([slot({ at: at(0), title: "Mend it" })])[0]).toMatch(/0s {2}Mend it$/);
});

test.each([
  { name: "a long word", word: "x".repeat(400) },
  { name: "wide characters", word: "漢字".repeat(100) },
  { name: "what would drive the terminal", word: "\u001b[2J\r\n\u0007".repeat(90) },
])("no line fills the screen's width or leaves it: $name", ({ word }) => {
  for (const columns of [40, 60, 120]) {
    for (const line of lines([slot({ bead: `b-${"y".repeat(200)}`, at: at(9) })], word, {
      columns,
      rows: 24,
    })) {
      expect(displayWidth(line)).toBeLessThan(columns);
      expect(line).not.toMatch(/[\u0000-\u001f]/);
    }
  }
});

test("many beads leave half of the screen to what is said above", () => {
  const many = Array.from({ length: 40 }, (_, n) => slot({ bead: `b-${n}`, at: at(1) }));
  const shown = lines(many, "", { columns: 60, rows: 20 });
  expect(shown).toHaveLength(9);
  expect(shown.at(-1)).toBe("32 more at work");
});

test("whoever ends koryph at once is told what of the gate is left", () => {
  const running = { command: "sleep 1000", number: 1, of: 2, since: 0 };
  expect(leftAgentsLine([], running)).toBe(
    "ended at once; this is left: gate command 1 of 2: sleep 1000; it ends when the lease has run out, and koryph run --resume takes over sooner",
  );
  expect(leftAgentsLine([slot({ bead: "a" })], running)).toBe(
    "ended at once; these are left: a (pid 7), gate command 1 of 2: sleep 1000; they end when the lease has run out, and koryph run --resume takes over sooner",
  );
});

test("whoever ends koryph at once is told which agents are left", () => {
  expect(leftAgentsLine([])).toBe("ended at once; no agent is left at work");
  expect(leftAgentsLine([slot({ bead: "a" }), slot({ bead: "b", process: null })])).toBe(
    "ended at once; these agents are left: a (pid 7), b; they end when the lease has run out, and koryph run --resume takes over sooner",
  );
});
