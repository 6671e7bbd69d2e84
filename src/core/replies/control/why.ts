import { cutText } from "../../../lib/cut-text.js";
import { UNSAFE } from "../../../lib/plain-text.js";
import type { Unmet } from "../../control/why.js";
import type { Hold } from "../../run/ledger/ledger-state.js";
import type { Slot } from "../../run/ledger/slot.js";
import { markdownTable, shownCode, shownText } from "../markdown.js";

/** The sentence above the conditions. */
export const whySaid = {
  landed: (bead: string, landed: string): string => `${shownCode(bead)} has landed as ${shownCode(landed)}`,
  unknown: (bead: string): string =>
    `no run knows of ${shownCode(bead)}, and it may not exist: what I see is the beads that runs have taken`,
  kept: (bead: string, unmet: number): string =>
    `${unmet} ${unmet === 1 ? "thing keeps" : "things keep"} ${shownCode(bead)} from landing`,
};

/** What keeps a bead from landing. */
export const whyWords = {
  readOnly: ({ type, needs }: { readonly type: string; readonly needs: string }): Unmet =>
    unmet("read_only", `the ledger holds ${type}, which needs ${needs}`, {
      who: "whoever runs koryph",
      next: "bring in that version",
    }),
  held: (bead: string, { actor, reason, evidence }: Hold): Unmet =>
    unmet("held", `held by ${actor}${reason === "" ? "" : `: ${reason}`}`, {
      who: "somebody with the write role",
      next: `/koryph unhold ${bead}`,
      url: evidence?.url ?? null,
    }),
  notTaken: (): Unmet =>
    unmet("not_taken", "no run has taken it yet", {
      who: "whoever runs the engine",
      next: "koryph plan audit",
    }),
  /** `last` is null for a project that has had none yet; `taken` when that one left the bead unfinished. */
  noRun: (last: { readonly reason: string } | null, taken: boolean): Unmet => {
    const ended = last === null || last.reason === "" ? "" : `; the last one ended: ${last.reason}`;
    return unmet("no_run", `no run is under way${ended}`, {
      who: "whoever runs the engine",
      next: runWay(taken && last !== null),
    });
  },
  silent: (since: number): Unmet =>
    unmet("engine_silent", `nothing was heard of the run's engine since ${shownTime(since)}`, {
      who: "whoever runs the engine",
      next: runWay(true),
    }),
  draining: (actor: string, taken: boolean): Unmet =>
    unmet("draining", `${actor} asked the run to drain, so nothing new is started`, {
      who: "whoever runs the engine",
      next: `${runWay(taken)}, once it has ended`,
    }),
  waitsUntil: ({ notBefore, note }: Slot): Unmet =>
    unmet("backoff", `waits until ${shownTime(notBefore)}: ${note}`),
  waitsForPlace: ({ note }: Slot): Unmet =>
    unmet("queued", `queued for an agent${note === "" ? "" : `: ${note}`}`),
  atWork: ({ attempt, task }: Slot): Unmet =>
    unmet("at_work", `an agent is at work: ${task}, attempt ${attempt}`),
  between: ({ note }: Slot): Unmet =>
    unmet("checking", `its commits are being looked at${note === "" ? "" : `: ${note}`}`),
  inQueue: (place: number): Unmet =>
    unmet("landing", place <= 0 ? "it is being landed" : `${place} before it in the landing queue`),
  refused: ({ refusal }: Slot): Unmet =>
    unmet("land_refused", `the last landing was refused, ${refusal?.result ?? ""}: ${refusal?.detail ?? ""}`),
  waitsForLanding: ({ bead, note }: Slot): Unmet =>
    unmet("merge_pending", `finished, and waits for a person${note === "" ? "" : `: ${note}`}`, {
      who: "whoever runs the engine",
      next: `koryph land ${bead}`,
    }),
  blocked: ({ bead, status, note }: Slot): Unmet =>
    unmet(status, note === "" ? status : note, {
      who: "somebody with the triage role",
      next: `/koryph retry ${bead}`,
    }),
  /** Each with its who and next, and the same as JSON for tools. */
  list: (bead: string, conditions: readonly Unmet[]): string => {
    const cut = conditions.map((condition) => ({ ...condition, found: cutText(condition.found, 1_000) }));
    const json = JSON.stringify({ schema_version: 1, bead, unmet: cut }, null, 2);
    const shown = markdownTable({
      head: ["", "found", "who can change it", "how"],
      items: conditions,
      row: ({ code, found, who, next, url }) => [
        shownCode(code),
        `${shownText(found, 300)}${url !== null && PLAIN_URL.test(url) ? ` ([there](${url}))` : ""}`,
        shownText(who),
        next === "" ? "" : shownCode(next, 120),
      ],
    });
    return [
      ...(conditions.length > 0 ? [shown, ""] : []),
      "<details><summary>JSON</summary>",
      "",
      `<pre>${escapeHtml(json)}</pre>`,
      "",
      "</details>",
    ].join("\n");
  },
};

/** Resuming goes on with what a run has taken, and what it has not taken is for a run of its own. */
function runWay(taken: boolean): string {
  return taken ? "koryph run --resume" : "koryph run";
}

function unmet(
  code: string,
  found: string,
  { who = "", next = "", url = null }: Partial<Pick<Unmet, "who" | "next" | "url">> = {},
): Unmet {
  return { code, found, who, next, url };
}

/** The ledger's word for where something was said is anybody's word: only what can be nothing but an address is a link. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.:-]+\/[\w./#-]{1,300}$/;

/** Times come from a ledger that others can write. */
export function shownTime(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? "a time that is none" : time.toISOString();
}

/** Blank lines would end the block that GitHub takes as HTML, and mentions are looked for in it. */
function escapeHtml(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line.replace(UNSAFE, "\u{FFFD}").replace(/[&<>@#]/g, (mark) => `&#${mark.codePointAt(0)};`),
    )
    .join("\n");
}
