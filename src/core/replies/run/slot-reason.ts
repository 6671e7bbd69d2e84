import type { Slot } from "../../run/ledger/slot.js";
import type { Words } from "../../run/ledger/slot-reason.js";
import { typed } from "../typed.js";
import { pauseKindText } from "./pauses.js";

/** Why something became of a slot, as the ledger keeps it for people. Texts of others stay as they are. */
export function slotReasonText(words: Words): string {
  if (typeof words === "string") return words;
  switch (words.code) {
    case "interrupted":
      return "the engine was interrupted";
    case "no-trace":
      return "its process left no trace on this machine";
    case "bead-taken":
      return "somebody else took the bead";
    case "bead-gone":
      return "the bead is closed, or gone";
    case "bead-unreleased":
      return "its text is not released to agents any more; `koryph plan audit` says why";
    case "spend-withdrawn":
      return "it was to be billed to an API key, and nobody allowed that any more";
    case "account-changed":
      return "the account that it was dispatched on is not the one that is pinned by now";
    case "asked-for":
      return `asked for by ${words.actor}`;
    case "agent-ended": {
      const detail = slotReasonText(words.detail);
      return detail === "" ? words.outcome : `${words.outcome}: ${detail}`;
    }
    case "agent-says":
      return noted(`the agent says ${words.state}`, words.note);
    case "status-unknown":
      return noted(`the agent's status is “${words.state}”, which koryph does not know`, words.note);
    case "status-unreadable":
      return "its status.json names no state that koryph can read";
    case "no-commit":
      return "it ended without a commit";
    case "uncommitted":
      return "it ended with changes that are in no commit";
    case "stopped":
      return `stopped: ${slotReasonText(words.detail)}`;
    case "runtime-paused":
      return `${pauseKindText(words.kind)}: ${slotReasonText(words.detail)}`;
    case "review-unread":
      return `review: ${slotReasonText(words.because)}`;
    case "too-many-deaths": {
      const what = words.task === null ? "" : `${words.task} failed: `;
      return `${what}${words.times} attempts failed, the last: ${slotReasonText(words.last)}`;
    }
    case "too-many-attempts":
      return `${words.times} attempts are more than anybody meant`;
    case "effect-failed": {
      const often = words.times === 1 ? "" : ` ${words.times} times`;
      return `${EFFECT_TEXTS[words.effect] ?? words.effect} failed${often}: ${words.detail}`;
    }
    case "bounced":
      return `the review sends it back: ${words.note}`;
    case "still-blocking":
      return `the review still blocks after ${words.rounds} rounds, so a person decides: ${typed("koryph land")}`;
    case "review-degraded":
      return degradedText(words.note);
    case "needs-auto-merge": {
      const waits =
        "waits for `koryph land`, because this run had no --auto-merge to go with its merge policy auto";
      return words.degraded === null ? waits : `${degradedText(words.degraded)}; ${waits}`;
    }
    case "uncontained": {
      const waits = "waits for `koryph land`, because containment is required and nothing shut its agent in";
      return words.degraded === null ? waits : `${degradedText(words.degraded)}; ${waits}`;
    }
    case "land-refused": {
      const text = `${words.result}: ${words.detail}`;
      return words.times === null ? text : `${words.times} times in a row, ${text}`;
    }
    case "stage-lost-commits":
      return `${words.task} left none of the commits it began with`;
    case "stage-timed-out":
      return `${words.task} ran out of time; what it had committed is kept`;
    case "stage-left-out":
      return `${words.task} was left out: ${slotReasonText(words.because)}`;
  }
}

function noted(sentence: string, note: string): string {
  return note === "" ? sentence : `${sentence}: ${note}`;
}

/** What the engine does for a bead, as it is named when it fails. */
const EFFECT_TEXTS: Readonly<Record<string, string>> = {
  "claim-bead": "taking the bead in the tracker",
  collect: "reading what the agent left",
  judge: "reading the review",
  accept: "making a candidate of its commits",
  check: "checking its commits",
};

/** A review that nobody can vouch for is shown as one, whatever becomes of the bead. */
function degradedText(note: string): string {
  return `the review is degraded: ${note}`;
}

/** Sentences that name a degraded review themselves. */
const NAME_IT: ReadonlySet<string | null> = new Set(["review-degraded", "needs-auto-merge", "uncontained"]);

/** Not clean is never shown as clean, also after it has landed; empty where the review was not degraded. */
export function degradedReview({ review, noteCode }: Pick<Slot, "review" | "noteCode">): string {
  return review?.verdict !== "degraded" || NAME_IT.has(noteCode) ? "" : degradedText(review.note);
}
