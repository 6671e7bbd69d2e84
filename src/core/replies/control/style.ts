import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { Slot } from "../../run/ledger/slot.js";
import { shownCode, shownText } from "../markdown.js";

/** How a surface writes what differs between surfaces in a sentence that is else the same. */
export interface Style {
  /** A name or another short word from outside. */
  readonly name: (text: string) => string;
  /** Other people's words. */
  readonly quote: (text: string) => string;
  /** Something of our own that is typed as it stands. */
  readonly code: (text: string) => string;
  /** A koryph verb as people type it on this surface: `/koryph status` or `koryph status`. */
  readonly verb: (line: string) => string;
  /** What brings a bead on; empty when there is nothing to do. */
  readonly waysOn: (slot: Slot) => string;
}

const LONGEST_QUOTE = 300;

export const COMMENT_STYLE: Style = {
  name: (text) => shownCode(text),
  quote: (text) => shownText(text, LONGEST_QUOTE),
  code: (text) => shownCode(text),
  verb: (line) => shownCode(`/koryph ${line}`),
  waysOn: ({ bead, status }) =>
    status === "merged" ? "" : `${shownCode(`/koryph why ${bead}`)} tells what it waits for`,
};

export const TERMINAL_STYLE: Style = {
  name: plainText,
  quote: (text) => cutText(plainText(text), LONGEST_QUOTE),
  code: (text) => `\`${text}\``,
  verb: (line) => `\`koryph ${line}\``,
  waysOn: terminalWaysOn,
};

function terminalWaysOn({ bead, status }: Slot): string {
  switch (status) {
    case "queued":
      return `its next attempt is started by a running engine, else by \`koryph run --resume\`; \`koryph hold ${bead}\` keeps it waiting`;
    case "blocked":
    case "conflict":
      return `\`koryph retry ${bead}\` lets it try again`;
    case "pr-opened":
      return "its pull request is open: it lands from there, or is closed";
    case "merge-pending":
      return `it is finished: its commits are on agent/${bead}`;
    case "merged":
      return "open it again in the work source if there is more to do";
    case "dispatching":
    case "running":
    case "ended":
    case "passed":
    case "landing":
    case "refused":
      return "`koryph status` shows how it goes on";
  }
}

/** Times come from a ledger that others can write. */
export function shownTime(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? "an unreadable time" : time.toISOString();
}

/** The time of day in UTC, with the day where that is another one: `15:11:12 UTC`. */
export function shownClock(ms: number, now: number): string {
  const [day, time = ""] = shownTime(ms).split(/[T.]/);
  if (time === "") return shownTime(ms);
  return `${shownTime(now).startsWith(`${day}T`) ? "" : `${day} `}${time} UTC`;
}
