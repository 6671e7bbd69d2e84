import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { Withheld } from "../../model/release.js";
import { BUILT_IN_PERSONAS } from "../../prompt/built-in-personas.js";
import { withheldText } from "../issues/withheld.js";
import { versionToBringIn } from "../ledger/needed-version.js";
import { holderText } from "./engine-line.js";

export const leaseAdvice = {
  readOnly: ({ type, needs }: { type: string; needs: string }): Advice => ({
    message: `the ledger holds a ${cutText(plainText(type), 60)} event, which this koryph does not know and must not ignore`,
    hint: `${versionToBringIn(needs)}; until then koryph only reads this project`,
  }),
  held: (holder: string, host: string): Advice => ({
    message: `another engine runs this project: ${holderText(holder, host)}`,
    hint: "stop it with `koryph drain`, or wait: its lease ends by itself if it is gone",
  }),
  lost: (holder: string): Advice => ({
    message: `the lease of this engine (${holderText(holder)}) could not be renewed in time, so its agents were stopped`,
    hint: "see whether the remote can be reached, then `koryph run --resume`",
  }),
  nothingToResume: (): Advice => ({
    message: "there is no interrupted run to resume",
    hint: "start one with `koryph run`",
  }),
};

export const runAdvice = {
  noPersona: (name: string, path: string, branch: string): Advice => ({
    message: `there is no persona ${name}: ${plainText(branch)} has no ${path}, and none of that name is built in`,
    hint: `commit ${path} to ${plainText(branch)}, or use one of ${Object.keys(BUILT_IN_PERSONAS).join(", ")}`,
  }),
  notReleased: (bead: string, why: Withheld): Advice => ({
    message: `${bead} is not released to agents: ${withheldText(why)}`,
    hint: `then \`koryph retry ${bead}\``,
  }),
  noStage: (name: string): Advice => ({
    message: `the pipeline has no stage ${name} any more`,
    hint: "the bead was dispatched when it had; put the stage back, or `koryph retry` the bead once it is blocked",
  }),
};

export const engineLockAdvice = {
  taken: ({ pid, host, since }: { pid: number; host: string; since: string }): Advice => ({
    message: `an engine runs this project on this machine already: pid ${pid} on ${host} since ${since}`,
    hint: "watch it with `koryph status`, end it with `koryph drain`",
  }),
};

/** What the tracker is told about a bead. */
export const beadComments = {
  finished: (bead: string, head: string): string =>
    `koryph: finished as agent/${bead} at ${head}, waiting to land`,
  blocked: (reason: string): string => `koryph: blocked: ${reason}`,
  conflict: (reason: string): string => `koryph: conflict: ${reason}`,
  pullOpened: (url: string): string => `koryph: its pull request is open: ${url}`,
};
