import type { Argument } from "./argument.js";
import type { Verb } from "./command.js";
import type { Role } from "./roles.js";

/** All there is to say about a command: the parser, the permissions, the help and the docs are made from it. */
export interface VerbEntry {
  readonly summary: string;
  /** The least role on the repository that may use it. */
  readonly needs: Exclude<Role, "none">;
  /** It changes something, so it takes `--dry-run`. */
  readonly mutating: boolean;
  /** Where it makes sense. */
  readonly where: "pull" | "both";
  readonly arguments: readonly Argument[];
  readonly examples: readonly string[];
}

const OWN_BEAD = "the bead; left out, it is the one this issue or pull request is about";

const bead = word("bead", "bead", OWN_BEAD);
const beadKey: Argument = { ...bead, form: "key", shown: "<id>" };
const force = (meaning: string) => flag("force", meaning);
const sha = word(
  "sha",
  "sha",
  "the head commit that is meant; refused when the pull request's head is another",
);

/** In the order people read them. */
export const VERBS: Readonly<Record<Verb, VerbEntry>> = {
  help: {
    ...reading("list the commands, or explain one of them"),
    arguments: [word("verb", "any", "the command to explain")],
    examples: ["help", "help hold"],
  },
  status: {
    ...reading("show the run and its beads, or one bead"),
    arguments: [bead],
    examples: ["status", "status gh-12"],
  },
  why: {
    ...reading("tell what keeps a bead or this pull request from landing, and who can change it"),
    arguments: [bead],
    examples: ["why", "why gh-12"],
  },
  review: {
    ...onPulls("have a reviewer read the pull request's head, unless it has read it already", "triage"),
    arguments: [word("scope", "scope", "have the same head read again", "full")],
    examples: ["review", "review full"],
  },
  approve: {
    ...onPulls("approve the pull request's head commit for landing", "write"),
    arguments: [sha],
    examples: ["approve", "approve 1a2b3c4d5e6f"],
  },
  comment: {
    ...onPulls("write a comment on a line of the pull request", "triage"),
    arguments: [
      { ...word("at", "place", "the file and the line"), shown: "<path>:<line>", required: true },
      text("text", "what to say there", true),
    ],
    examples: ["comment src/server.ts:42 this never closes the socket"],
  },
  close: {
    ...onPulls("close the pull request without landing it", "write"),
    arguments: [text("reason", "why, for the record")],
    examples: ["close", "close superseded by #31"],
  },
  land: {
    ...onPulls("land the pull request on its base branch once all conditions hold", "write"),
    arguments: [
      sha,
      {
        ...word("method", "method", "how to land; left out, it is what the project file says"),
        form: "key",
        shown: "ff|squash",
      },
      flag("cancel", "take the landing back that is in the queue, whoever asked for it"),
    ],
    examples: ["land", "land 1a2b3c4d5e6f", "land --method squash", "land --cancel", "land --dry-run"],
  },
  hold: {
    ...changing("start no new attempt at a bead and land nothing of it, until unhold", "write"),
    arguments: [text("reason", "why, shown to whoever asks"), beadKey],
    examples: ["hold", "hold waiting for the legal check", "hold bead=gh-12 waiting for the legal check"],
  },
  unhold: {
    ...changing("end a hold", "write"),
    arguments: [bead],
    examples: ["unhold", "unhold gh-12"],
  },
  sync: {
    ...changing("bring ledger and beads to what GitHub shows of pull requests", "triage"),
    arguments: [],
    examples: ["sync"],
  },
  retry: {
    ...changing("send a bead that is blocked, in conflict or finished back to an agent", "triage"),
    arguments: [
      bead,
      flag("all", "every bead that is blocked or in conflict"),
      {
        ...word(
          "reason",
          "any",
          "with --all: only those blocked for this code, or with this in their reason",
        ),
        form: "key",
        shown: "<code or text>",
      },
    ],
    examples: ["retry", "retry gh-12", "retry --all", "retry --all reason=gate-failed"],
  },
  nudge: {
    ...changing("put a message into the inbox of a bead's agent", "triage"),
    arguments: [text("text", "what to tell it; it may begin with the bead's id", true), beadKey],
    examples: ["nudge use the interface that is there", 'nudge gh-12 "use the interface that is there"'],
  },
  stop: {
    ...changing(
      "stop a bead's agent: complete commits go on, else the bead is queued again after a wait",
      "maintain",
    ),
    arguments: [
      bead,
      flag("run", "all agents of the run"),
      flag("hold", "put a hold on it, so that it stays stopped until unhold"),
      flag("drain", "let the run start nothing new, and end"),
      force("kill it without asking first"),
    ],
    examples: ["stop", "stop gh-12 --hold", "stop --run --drain"],
  },
  drain: {
    ...changing("let agents finish, start no new ones, then end the run", "maintain"),
    arguments: [],
    examples: ["drain"],
  },
  resize: {
    ...changing("change how many agents may work at once in the run that is under way", "maintain"),
    arguments: [
      {
        ...word("max", "width", "the new width; clear goes back to what the run was started with"),
        shown: "<n>|clear",
        required: true,
      },
      force("also above max_concurrent_slots"),
    ],
    examples: ["resize 3", "resize max=3", "resize clear"],
  },
  link: {
    ...reading("link your GitHub account, so that an approval is also your own review"),
    arguments: [],
    examples: ["link"],
  },
  unlink: {
    ...reading("forget your linked account"),
    arguments: [],
    examples: ["unlink"],
  },
};

export const VERB_NAMES = Object.keys(VERBS) as readonly Verb[];

const DRY_RUN = flag("dry-run", "say what would be done, and do nothing");

export function argumentsOf(verb: Verb): readonly Argument[] {
  const entry = VERBS[verb];
  return entry.mutating ? [...entry.arguments, DRY_RUN] : entry.arguments;
}

/** What people used to other tools say. These are hints: none of them is a command. */
export const OTHER_WORDS: Readonly<Record<string, Verb>> = {
  merge: "land",
  ship: "land",
  submit: "land",
  cancel: "stop",
  abort: "stop",
  kill: "stop",
  continue: "retry",
  resume: "retry",
  rerun: "retry",
  restart: "retry",
  pause: "hold",
  block: "hold",
  freeze: "hold",
  unpause: "unhold",
  unfreeze: "unhold",
  lgtm: "approve",
  accept: "approve",
  explain: "why",
  tell: "nudge",
  inject: "nudge",
  rebase: "sync",
  refresh: "sync",
  scale: "resize",
  login: "link",
  logout: "unlink",
};

/** The same for options: a comment reaches one project, so it has no word for all of them. */
export const OTHER_OPTIONS: Readonly<Partial<Record<Verb, ReadonlyMap<string, string>>>> = {
  stop: new Map([["all", "--run"]]),
};

function reading(summary: string) {
  return { summary, needs: "read", mutating: false, where: "both" } as const;
}

function changing(summary: string, needs: VerbEntry["needs"]) {
  return { summary, needs, mutating: true, where: "both" } as const;
}

function onPulls(summary: string, needs: VerbEntry["needs"]) {
  return { summary, needs, mutating: true, where: "pull" } as const;
}

function word(name: string, value: Argument["value"], meaning: string, shown = `<${name}>`): Argument {
  return { form: "word", name, shown, required: false, value, meaning };
}

function text(name: string, meaning: string, required = false): Argument {
  return { form: "text", name, shown: `<${name}…>`, required, value: "any", meaning };
}

function flag(name: string, meaning: string): Argument {
  return { form: "flag", name, shown: "", required: false, value: "none", meaning };
}
