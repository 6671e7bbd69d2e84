import type { Command } from "commander";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../../src/cli/program.js";
import type { Terminal } from "../../../src/cli/text/terminal.js";
import { readCommands } from "../../../src/core/commands/read-commands.js";
import type { Unmet } from "../../../src/core/control/unmet-conditions.js";
import type { PullRefusal } from "../../../src/core/land/pull/pull-refusal.js";
import { REFUSALS, type RefusalKind } from "../../../src/core/land/refusal.js";
import { whyTable } from "../../../src/core/replies/control/why.js";
import { standingTable } from "../../../src/core/replies/land/pull/standing-text.js";
import { shownSentence } from "../../../src/core/replies/markdown.js";
import { runSummaryPage } from "../../../src/core/replies/report/run-summary.js";
import { summarise } from "../../../src/core/replies/run/progress.js";
import { dispatchRefusalSentence } from "../../../src/core/replies/schedule/schedule.js";
import type { Hold } from "../../../src/core/run/ledger/ledger-state.js";
import type { Slot } from "../../../src/core/run/ledger/slot.js";
import { NO_GROUPS, runReport } from "../../../src/core/run/plan/run-report.js";
import { hold } from "../../support/core/control.js";
import { slot, stateWith } from "../../support/core/slots.js";
import { LONG } from "../../support/long.js";

let program: Command;
beforeAll(async () => {
  const nothing = () => {};
  const paint = new Proxy({} as Terminal["paint"], { get: () => String });
  const surface = buildProgram({ out: nothing, err: nothing, paint } as Terminal, nothing);
  await surface.loadAll();
  program = surface.program;
});

/** What somebody copies from the rendered text. */
function codes(markdown: string): string[] {
  return [...markdown.matchAll(/<code>([^<]*)<\/code>/g)].map(([, text = ""]) => rendered(text));
}

function rendered(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

const VERBS = "retry|land|run|tail|show|diff|status|log|unhold|hold|gate|why|approve|close|plan";

/** Commands among running words, where an invisible character may stand in them. */
function loose(markdown: string): string[] {
  const words = rendered(markdown.replace(/<code>[^<]*<\/code>/g, "<>"));
  return words.match(new RegExp(`(?<![\\w.])/?koryph (?:${VERBS})\\b.{0,20}`, "g")) ?? [];
}

/** Null for what is no command of koryph's; else whether it may be typed as it stands. */
function parses(text: string): boolean | null {
  if (text.startsWith("/koryph ")) return readCommands(text).lines.every(({ kind }) => kind === "command");
  if (!text.startsWith("koryph ")) return null;
  let words = text.split(" ").slice(1);
  let at: Command = program;
  for (;;) {
    const next = at.commands.find((each) => each.name() === words[0]);
    if (next === undefined) break;
    [at, words] = [next, words.slice(1)];
  }
  const { operands, unknown } = at.parseOptions(words);
  const [most, variadic] = [
    at.registeredArguments.length,
    at.registeredArguments.some((each) => each.variadic),
  ];
  return at !== program && unknown.length === 0 && (variadic || operands.length <= most);
}

const STATUSES = ["blocked", "conflict", "merge-pending", "queued", "pr-opened", "landing"] as const;
const WHYS = [
  "held",
  "not_taken",
  "no_run",
  "engine_silent",
  "draining",
  "runtime_paused",
  ...STATUSES,
] as const;
const PAUSES = ["limited", "unavailable", "auth", "billing", "unknown-model", "start-failed"] as const;
const HEAD = "a".repeat(40);

const beads = fc.stringMatching(/^[a-z][a-z0-9]{0,5}(-[0-9]{1,4}|\.[0-9])?$/);
/** Words of others that may stand before a command. */
const words = fc.constantFrom("", "later", "a ` alone", "`koryph` is mine", "see gh-1: @all", "`git push");
const kinds = fc.constantFrom(...(Object.keys(REFUSALS) as RefusalKind[]));

const slots = fc
  .record({ bead: beads, note: words, kind: kinds, status: fc.constantFrom(...STATUSES) })
  .map(({ bead, note, kind, status }): Slot => {
    const { result } = REFUSALS[kind];
    const refusal = { result, code: result === "error" ? kind : "", detail: note };
    const pull = { number: 7, url: "https://github.com/team/shop/pull/7" } as Slot["pull"];
    return slot({ bead, note, status, commits: 1, refusal, pull: status === "pr-opened" ? pull : null });
  });

function unmetOf(slot: Slot, by: Hold, code: (typeof WHYS)[number], kind: (typeof PAUSES)[number]): Unmet {
  switch (code) {
    case "held":
      return { code, bead: slot.bead, hold: by };
    case "not_taken":
      return { code };
    case "no_run":
      return { code, last: null, taken: true };
    case "engine_silent":
      return { code, since: 0 };
    case "draining":
      return { code, actor: by.actor, taken: true };
    case "runtime_paused": {
      const pause = {
        runtime: "claude",
        model: null,
        kind,
        until: null,
        detail: by.reason,
        times: 1,
        probe: null,
      };
      return { code, pause } as Unmet;
    }
    case "landing":
      return { code, place: 1 };
    case "queued":
    case "pr-opened":
    case "merge-pending":
    case "blocked":
    case "conflict":
      return { code: code.replace("-", "_"), slot } as Unmet;
  }
}

const lacking = (text: string): PullRefusal[] => [
  { code: "not_open", merged: false },
  { code: "draft" },
  { code: "head_moved", asked: HEAD, actual: HEAD },
  { code: "not_approved", needed: 1, counted: 0, left: [] },
  { code: "changes_requested", by: [text] },
  { code: "needs_app_token", lacks: "bypass", rulesets: [text] },
  { code: "no_changes" },
  { code: "base_red", base: HEAD, command: text, exit: 1, output: text },
  { code: "base_busy", moves: 4 },
  { code: "push_refused", why: text },
];

describe("a command in a reply, copied from the rendered text, is what has to be typed", () => {
  const check = (markdown: string) => {
    expect(loose(markdown)).toEqual([]);
    const judged = codes(markdown).map((text) => [text, parses(text)] as const);
    expect(judged.filter(([, fine]) => fine === false)).toEqual([]);
    return judged.filter(([, fine]) => fine === true).length;
  };
  const runs = { numRuns: LONG ? 1_000 : 100 };

  test("of a bead that waits", () => {
    const pauses = fc.constantFrom(...PAUSES);
    fc.assert(
      fc.property(slots, words, fc.constantFrom(...WHYS), pauses, (slot, reason, code, kind) => {
        const found = check(whyTable([unmetOf(slot, { ...hold, reason }, code, kind)]));
        if (code === "blocked" || code === "held" || code === "merge-pending")
          expect(found).toBeGreaterThan(0);
      }),
      runs,
    );
  });

  test("of a run that has ended", () => {
    fc.assert(
      fc.property(slots, words, (each, reason) => {
        const state = {
          ...stateWith(each),
          holds: reason === "" ? {} : { [each.bead]: { ...hold, reason } },
        };
        const summary = summarise(state, "r-1", { reason: "drained", code: 4 });
        const rest = { run: "r-1", mode: "rolling" as const, ended: null, now: 0 };
        check(runSummaryPage(runReport([each], { ...NO_GROUPS, groups: [[each.bead]] }, rest), summary));
      }),
      runs,
    );
  });

  test("of a pull request", () => {
    fc.assert(
      fc.property(words, (text) => {
        const facts = {
          pull: 7,
          head: HEAD,
          base: "main",
          hold: { ...hold, reason: text },
        };
        const phase = { kind: "open" as const, refused: null };
        const table = standingTable({
          ...facts,
          phase,
          unmet: lacking(text),
          carried: null,
          compared: null,
        } as never);
        expect(check(table)).toBeGreaterThan(8);
      }),
      { numRuns: 10 },
    );
  });

  test("of a bead that is not dispatched", () => {
    fc.assert(
      fc.property(beads, (bead) => {
        expect(check(shownSentence(dispatchRefusalSentence({ code: "blocked", bead })))).toBe(1);
      }),
    );
  });
});

test("half a command is not shown", () => {
  expect(shownSentence("look at it, then `koryph land gh-7 --allow-protected` lands it", 40)).toBe(
    "look at it, then …",
  );
});
