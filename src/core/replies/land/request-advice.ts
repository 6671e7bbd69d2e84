import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { RequestRefusal } from "../../land/decide-request.js";
import { refusalAdvice } from "../control/terminal-reply.js";
import { landWords } from "./land.js";

type AdviceFor<K extends RequestRefusal["kind"]> = {
  say(bead: string, refusal: Extract<RequestRefusal, { readonly kind: K }>, page: string): Advice;
}["say"];

/** What is said instead of putting a bead into the queue. */
const ADVICE: { readonly [K in RequestRefusal["kind"]]: AdviceFor<K> } = {
  squash_signed: () => ({
    message:
      "squash would replace signed commits by one of koryph's own, and this project requires signatures",
    hint: "land with --method ff, which keeps every commit as it was signed",
  }),
  no_slot: (bead) => refusalAdvice({ code: "unknown_bead", bead, near: [] }),
  held: (bead, { actor, reason }) => ({
    message: `${bead} is held by ${plainText(actor)}${reason === "" ? "" : `: ${plainText(reason)}`}`,
    hint: `\`koryph unhold ${bead}\`, or \`/koryph unhold\` on its thread, lets it go on`,
  }),
  under_way: (bead, { method, allowProtected }) => ({
    message: `a landing of ${bead} is in the queue already, with --method ${method}${allowProtected ? "" : " and without --allow-protected"}`,
    hint: `\`koryph land ${bead}\` without that flag joins it; after its end it can be asked for anew`,
  }),
  at_work: (bead, { status }) => ({
    message: `${bead} is ${status}, so there is nothing to land yet`,
    hint: atWorkHint(bead, status),
  }),
  is_pull: (bead, { url }) =>
    url === null
      ? {
          message: `a pull request is about to be opened for ${bead}`,
          hint: "`koryph run --resume` goes on with it",
        }
      : {
          message: `${bead} is a pull request: ${plainText(url)}`,
          hint: `\`koryph land ${bead}\` lands it; \`koryph pr-sync\` takes in what became of it on GitHub`,
        },
  no_commits: (bead, _refusal, page) => ({
    message: `${bead} cannot be landed: ${landWords.nothingToLand()}`,
    hint: `\`koryph log --bead ${bead}\` tells what became of it; if somebody landed it by hand, ${page} ("By hand") tells how its bead is closed`,
  }),
  not_accepted: (bead) => ({
    message: `what is saved of ${bead} on the remote is not what was accepted, and no clone here ever had it`,
    hint: `land it on the machine that worked on it, or let an agent take it up with \`koryph retry ${bead}\``,
  }),
};

/** `page` tells how work is landed by hand. */
export function requestAdvice(bead: string, refusal: RequestRefusal, page = "docs/landing.md"): Advice {
  const advice: AdviceFor<RequestRefusal["kind"]> = ADVICE[refusal.kind];
  return advice(bead, refusal, page);
}

/** Only where there is an agent can it be stopped. */
function atWorkHint(bead: string, status: string): string {
  if (status === "queued") return "`koryph run --resume` goes on with it";
  const wait = "wait until it is finished (`koryph status`)";
  const stoppable = ["dispatching", "running", "ended"].includes(status);
  return stoppable ? `${wait}, or end its agent with \`koryph stop ${bead}\`` : wait;
}
