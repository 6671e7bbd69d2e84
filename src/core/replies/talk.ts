import { cutText } from "../../lib/cut-text.js";
import { UNSAFE } from "../../lib/plain-text.js";
import type { Verb } from "../commands/command.js";
import type { ProjectReading } from "../config/read-project.js";
import type { Hold } from "../run/ledger-state.js";
import type { Slot } from "../run/slot.js";
import type { Refused } from "../talk/refused.js";
import type { Unmet } from "../talk/why.js";
import { markdownTable, shownCode, shownText } from "./markdown.js";

/** What is said when a command did something, or would have. All of it is markdown. */
export const saidBy = {
  help: (topic: string | null): string =>
    topic === null ? "what I understand" : `about ${shownCode(topic)}`,
  status: (bead: string | null): string =>
    bead === null ? "how the project stands" : `how ${shownCode(bead)} stands`,
  why: (bead: string, unmet: number, landed: string | null): string => {
    if (landed !== null && unmet === 0) return `${shownCode(bead)} has landed as ${shownCode(landed)}`;
    return `${unmet} ${unmet === 1 ? "thing keeps" : "things keep"} ${shownCode(bead)} from landing`;
  },
  held: (bead: string, running: boolean): string =>
    `${shownCode(bead)} is held: no new attempt is started and nothing of it lands${running ? "; the agent that is at work goes on" : ""}`,
  unheld: (bead: string): string => `${shownCode(bead)} is not held any more`,
  retry: (bead: string, underWay: boolean): string =>
    underWay
      ? `${shownCode(bead)} goes back to an agent`
      : `${shownCode(bead)} is queued for the next run: ${shownCode("koryph run --resume")}`,
  nudge: (bead: string, text: string): string =>
    `left for the agent of ${shownCode(bead)}: “${shownText(text, 300)}”`,
  stop: (bead: string, force: boolean): string =>
    force
      ? `the agent of ${shownCode(bead)} is killed; what it has not committed is lost`
      : `the agent of ${shownCode(bead)} is asked to stop; what it has committed is kept`,
  stopAll: (force: boolean): string =>
    force
      ? "all agents of the run are killed; what they have not committed is lost"
      : "all agents of the run are asked to stop; what they have committed is kept",
  drain: (): string => "agents at work finish, no new ones start, then the run ends",
  resize: (max: number | null): string =>
    max === null
      ? "the width is the one the run was started with"
      : `at most ${max} ${max === 1 ? "agent works" : "agents work"} at once in this run`,
  wouldBe: (said: string): string => `would be done: ${said}`,
  linked: (login: string): string => `linked to ${shownCode(`@${login}`)}`,
};

/** Why a command is not carried out: what was found, and what to do next. */
export const talkRefusal = {
  noBead: (verb: Verb): Refused =>
    refused(
      "no_bead",
      "this thread belongs to no bead that I know of",
      `name one: ${shownCode(`/koryph ${verb} ${verb === "hold" || verb === "nudge" ? "bead=<id>" : "<id>"}`)}`,
    ),
  noSlot: (bead: string): Refused =>
    refused(
      "unknown_bead",
      `no run knows of ${shownCode(bead)}`,
      `${shownCode("/koryph status")} lists the beads that runs have taken; one that was taken just now shows up within a minute`,
    ),
  notAtWork: (bead: string, status: string): Refused =>
    refused(
      "not_at_work",
      `${shownCode(bead)} is ${status}, so no agent is at work on it`,
      `${shownCode(`/koryph why ${bead}`)} tells what it waits for`,
    ),
  notBlocked: (bead: string, status: string): Refused =>
    refused(
      "not_blocked",
      `${shownCode(bead)} is ${status}, so there is nothing to retry`,
      `${shownCode(`/koryph why ${bead}`)} tells what it waits for`,
    ),
  notHeld: (bead: string): Refused =>
    refused("not_held", `${shownCode(bead)} is not held`, `${shownCode("/koryph status")} lists what is`),
  noRun: (verb: Verb): Refused =>
    refused(
      "no_run",
      `no run is under way, so there is nothing to ${verb}`,
      `${shownCode("koryph run")} starts one`,
    ),
  tooWide: (max: number, ceiling: number): Refused =>
    refused(
      "too_wide",
      `${max} is above ${shownCode("max_concurrent_slots")}, which is ${ceiling}`,
      `choose a smaller width, or add ${shownCode("--force")}`,
    ),
  readOnly: ({ type, needs }: { readonly type: string; readonly needs: string }): Refused =>
    refused(
      "read_only",
      `the ledger holds ${shownCode(type)}, which this version of me does not understand`,
      `whoever runs me has to bring in ${shownText(needs)}`,
    ),
  later: (verb: Verb): Refused =>
    refused(
      "not_available",
      `${shownCode(verb)} comes with pull-request support, which is not built yet`,
      `${shownCode("/koryph help")} tells what works today and what does not`,
    ),
  notPermitted: (verb: Verb, needed: string, current: string): Refused =>
    refused(
      "not_permitted",
      `${shownCode(verb)} takes the ${shownCode(needed)} role here, and yours is ${shownCode(current)}`,
      "ask somebody who has it",
    ),
  botVerb: (verb: Verb): Refused =>
    refused(
      "not_permitted",
      `this app may not use ${shownCode(verb)}`,
      `${shownCode("commands.bots")} in koryph.project.json on the default branch lists what it may`,
    ),
  noProject: (): Refused =>
    refused(
      "no_project",
      `there is no ${shownCode("koryph.project.json")} on the default branch`,
      `${shownCode("koryph init")} in a checkout makes one`,
    ),
  badProject: (why: string): Refused =>
    refused(
      "bad_project",
      `${shownCode("koryph.project.json")} on the default branch cannot be used: ${shownText(why, 300)}`,
      `${shownCode("koryph validate")} in a checkout tells more`,
    ),
  tooOld: (floor: string, version: string): Refused =>
    refused(
      "engine_too_old",
      `this project asks for koryph ${shownCode(floor)}, and this server runs ${shownCode(version)}`,
      "whoever runs it has to bring in that version",
    ),
  /** The advice that goes with it names folders of the server, which are nobody's business here. */
  ledger: (message: string): Refused =>
    refused("ledger_refused", shownText(message, 300), "whoever runs koryph finds the way out in its log"),
  edited: (): Refused =>
    refused(
      "comment_edited",
      "the comment was edited before I got to it, so nothing was done",
      "write a new comment: only what stands in a comment when it is written counts",
    ),
  deleted: (): Refused =>
    refused("comment_deleted", "the comment was deleted before I got to it, so nothing was done", ""),
  afterFailure: (): Refused =>
    refused("skipped", "not done, because one before it failed", "send it again once that is put right"),
  tooMany: (most: number, left: number): Refused =>
    refused(
      "too_many",
      `${left} more ${left === 1 ? "command was" : "commands were"} not read: one comment holds ${most} at most`,
      "send the rest in another comment",
    ),
};

/** A project file that cannot be used, in one sentence. */
export function badProject(reading: Exclude<ProjectReading, { kind: "ok" }>): string {
  switch (reading.kind) {
    case "unreadable":
      return reading.problem;
    case "newer":
      return `its schema_version is ${reading.version}, which needs a newer koryph`;
    case "wrong": {
      const [first, ...others] = reading.problems;
      const rest = others.length > 0 ? `, and ${others.length} more` : "";
      return first === undefined ? "" : `${first.key} is ${first.found}, and must be ${first.need}${rest}`;
    }
  }
}

function refused(code: string, said: string, next: string): Refused {
  return { kind: "refuse", code, said, next };
}

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
  /** Null for a project that has had none yet. */
  noRun: (last: { readonly reason: string } | null): Unmet => {
    const ended = last === null || last.reason === "" ? "" : `; the last one ended: ${last.reason}`;
    return unmet("no_run", `no run is under way${ended}`, {
      who: "whoever runs the engine",
      next: last === null ? "koryph run" : "koryph run --resume",
    });
  },
  draining: (actor: string): Unmet =>
    unmet("draining", `${actor} asked the run to drain, so nothing new is started`, {
      who: "whoever runs the engine",
      next: "koryph run --resume, once it has ended",
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
function shownTime(ms: number): string {
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
