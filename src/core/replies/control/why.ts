import { cutText } from "../../../lib/cut-text.js";
import type { WhyAnswer } from "../../control/answer-question.js";
import type { Unmet } from "../../control/unmet-conditions.js";
import { withheldText } from "../issues/withheld.js";
import { nextAtTerminal } from "../land/refusal-words.js";
import { flagLine } from "../land/work-flags.js";
import { neededVersion, versionToBringIn } from "../ledger/needed-version.js";
import { markdownTable, shownCode, shownSentence, shownText } from "../markdown.js";
import { mendPause, pauseText } from "../run/pauses.js";
import { taskText } from "../run/task-text.js";
import { bare, typed } from "../typed.js";
import { jsonDetails } from "./json-details.js";
import { shownTime } from "./style.js";

/** The sentence above the conditions. */
export function whySentence({ bead, known, landed, unmet }: WhyAnswer): string {
  if (!known)
    return `no run knows of ${shownCode(bead)}, and it may not exist: what I see is the beads that runs have taken`;
  if (landed !== null) return `${shownCode(bead)} has landed as ${shownCode(landed)}`;
  const count = unmet.length;
  return `${count} ${count === 1 ? "thing keeps" : "things keep"} ${shownCode(bead)} from landing`;
}

/** Each condition with who can meet it and how, and the same as JSON for tools. */
export function whyMore({ bead, unmet }: WhyAnswer): string {
  const conditions = unmet.map((each) => ({ code: each.code, ...unmetWords(each) }));
  const cut = conditions.map(({ found, next, or, ...rest }) => ({
    ...rest,
    found: cutText(bare(found), 1_000),
    next: bare(next),
    or: or && bare(or),
  }));
  const json = jsonDetails({ schema_version: 1, bead, unmet: cut });
  return [...(conditions.length > 0 ? [whyTable(unmet), ""] : []), json].join("\n");
}

export function whyTable(unmet: WhyAnswer["unmet"]): string {
  return markdownTable({
    head: ["found", "who can change it", "how"],
    items: unmet.map(unmetWords),
    row: ({ found, who, next, or, url }) => [
      `${shownSentence(found, 300)}${url !== null && PLAIN_URL.test(url) ? ` ([there](${url}))` : ""}`,
      shownText(who),
      [
        next === "" ? "" : shownSentence(next, 200),
        or === undefined ? "" : `or at a terminal: ${shownSentence(or, 400)}`,
      ]
        .filter((part) => part !== "")
        .join(", "),
    ],
  });
}

interface UnmetWords {
  readonly found: string;
  /** Who can put it right, and how; empty when it passes by itself. */
  readonly who: string;
  readonly next: string;
  /** Another way, at a terminal. */
  readonly or?: string;
  /** Where it was said; null when nobody said it on GitHub. */
  readonly url: string | null;
}

const ENGINE_OPERATOR = "whoever runs the engine";

/** One condition in plain words; what is from outside in them is made safe by whoever shows them. */
export function unmetWords(unmet: Unmet): UnmetWords {
  switch (unmet.code) {
    case "read_only":
      return words(`the ledger holds ${unmet.type}, which needs ${neededVersion(unmet.needs)}`, {
        who: "whoever runs koryph",
        next: versionToBringIn(unmet.needs),
      });
    case "held": {
      const { actor, reason, evidence } = unmet.hold;
      return words(`held by ${actor}${after(reason)}`, {
        who: "somebody with the write role",
        next: typed(`/koryph unhold ${unmet.bead}`),
        url: evidence?.url ?? null,
      });
    }
    case "not_taken":
      return words("no run has taken it yet", { who: ENGINE_OPERATOR, next: typed("koryph plan audit") });
    case "not_released":
      return words(`not released: ${withheldText(unmet.why)}`, {
        who: "somebody with the triage role",
        next: `set the label ${unmet.why.label}`,
      });
    case "no_run": {
      const { last, taken } = unmet;
      const ended = last === null || last.reason === "" ? "" : `; the last one ended: ${last.reason}`;
      return words(`no run is under way${ended}`, {
        who: ENGINE_OPERATOR,
        next: runWay(taken && last !== null),
      });
    }
    case "engine_silent":
      return words(`nothing was heard of the run's engine since ${shownTime(unmet.since)}`, {
        who: ENGINE_OPERATOR,
        next: runWay(true),
      });
    case "draining":
      return words(`${unmet.actor} asked the run to drain, so nothing new is started`, {
        who: ENGINE_OPERATOR,
        next: `${runWay(unmet.taken)}, once it has ended`,
      });
    case "runtime_paused": {
      const needsPerson = unmet.pause.until === null;
      return words(
        pauseText(unmet.pause),
        needsPerson ? { who: ENGINE_OPERATOR, next: mendPause(unmet.pause) } : {},
      );
    }
    case "landing":
      return words(unmet.place <= 0 ? "it is being landed" : `${unmet.place} before it in the landing queue`);
    case "backoff":
    case "queued":
    case "at_work":
    case "checking":
    case "land_refused":
    case "pr_opened":
    case "merge_pending":
    case "blocked":
    case "conflict":
      return slotWords(unmet);
  }
}

function slotWords({ code, slot }: Extract<Unmet, { readonly slot: unknown }>): UnmetWords {
  const { bead, note, refusal } = slot;
  switch (code) {
    case "backoff":
      return words(`waits until ${shownTime(slot.notBefore)}: ${note}`);
    case "queued":
      return words(`queued for an agent${after(note)}`);
    case "at_work":
      return words(`an agent is at work: ${taskText(slot)}`);
    case "checking":
      return words(`its commits are being looked at${after(note)}`);
    case "land_refused":
      return words(`the last landing was refused, ${refusal?.result ?? ""}: ${refusal?.detail ?? ""}`);
    case "pr_opened":
      return words(`its pull request is open, and has not landed${after(flagLine(slot))}`, {
        who: "somebody with the write role",
        next: `${typed("/koryph land")} on the pull request`,
        url: slot.pull?.url ?? null,
      });
    case "merge_pending":
      return words(`finished, and waits for a person${after(note)}${after(flagLine(slot))}`, {
        who: ENGINE_OPERATOR,
        next: typed(`koryph land ${bead}`),
      });
    case "blocked":
    case "conflict":
      return words(note === "" ? code : note, {
        who: "somebody with the triage role",
        next: typed(`/koryph retry ${bead}`),
        ...(refusal !== null && { or: nextAtTerminal(bead, refusal) }),
      });
  }
}

function words(found: string, more: Partial<UnmetWords> = {}): UnmetWords {
  return { found, who: "", next: "", url: null, ...more };
}

function after(reason: string): string {
  return reason === "" ? "" : `: ${reason}`;
}

/** Resuming goes on with what a run has taken, and what it has not taken is for a run of its own. */
function runWay(taken: boolean): string {
  return typed(taken ? "koryph run --resume" : "koryph run");
}

/** The ledger's word for where something was said is anybody's word: only what can be nothing but an address is a link. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.:-]+\/[\w./#-]{1,300}$/;
