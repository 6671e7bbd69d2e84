import { readFileSync } from "node:fs";

/** Ways in which versions of bd differ, and faults of theirs that were seen. */
export interface BdManner {
  /** Ends with 0 although it refused. */
  readonly refusesQuietly?: boolean;
  /** Does what it was asked and then ends with 1. */
  readonly failsAfterwards?: boolean;
  /** Fails every write and changes nothing. */
  readonly broken?: boolean;
  /** Says yes and changes nothing. */
  readonly idle?: boolean;
  /** Never answers a write. */
  readonly hangs?: boolean;
}

export type FakeBead = Record<string, unknown> & {
  id: string;
  status?: string;
  assignee?: string;
  blocked?: boolean;
  comments?: { readonly author: unknown; readonly text: string }[];
  dependencies?: readonly { readonly depends_on_id: string }[];
};

interface Answer {
  /** False for arguments that the real one would not understand. */
  readonly isKnown: boolean;
  /** Null for no answer at all. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Options = Readonly<Record<string, string | true>>;

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  list: ["all", "json", "limit", "id"],
  ready: ["json", "limit", "parent"],
  update: ["claim", "status", "assignee", "actor", "json"],
  close: ["reason", "actor", "json"],
  comments: ["json"],
  "comments add": ["author", "file", "json"],
};

/**
 * What a bd with these beads answers, and changes in them. It knows the options that the real one documents for the
 * commands used here: any other option, or a bead named before `--`, is an error.
 */
export function answerAsBd(beads: FakeBead[], argv: readonly string[], manner: BdManner): Answer {
  const end = argv.indexOf("--");
  const before = end < 0 ? argv : argv.slice(0, end);
  const names = end < 0 ? [] : argv.slice(end + 1);
  const verb = before[0] === "comments" && before[1] === "add" ? "comments add" : (before[0] ?? "");
  const options: Record<string, string | true> = {};
  for (let at = verb.split(" ").length; at < before.length; at += 1) {
    const [, name = "", value] = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(before[at] ?? "") ?? [];
    if (!KNOWN[verb]?.includes(name))
      return { ...die(1, `Error: unknown argument: ${before[at]}`), isKnown: false };
    if (value === undefined && name === "limit") at += 1;
    options[name] = value ?? (name === "limit" ? (before[at] ?? "") : true);
  }

  if (verb === "ready") return say(beads.filter((bead) => isReady(bead, beads)));
  const { id } = options;
  if (verb === "list")
    return say(typeof id === "string" ? beads.filter((bead) => id.split(",").includes(bead.id)) : beads);
  // The real one takes an abbreviation for the one bead it fits.
  const [name = ""] = names;
  const bead = beads.find((each) => each.id === name) ?? beads.find((each) => each.id.startsWith(name));
  if (names.length !== 1 || bead === undefined)
    return die(1, `Error: no issue found matching ${JSON.stringify(name)}`);
  if (verb === "comments") return say(bead.comments ?? null);

  if (manner.hangs) return { isKnown: true, code: null, out: "", err: "" };
  if (manner.broken) return die(1, "Error: database is locked");
  if (manner.idle) return say([bead]);
  const refusal = write(bead, verb, options);
  if (refusal !== null) return die(manner.refusesQuietly ? 0 : 1, refusal);
  return manner.failsAfterwards ? die(1, "Error: failed to commit") : say([bead]);
}

function say(value: unknown): Answer {
  return { isKnown: true, code: 0, out: `${JSON.stringify(value)}\n`, err: "" };
}

function die(code: number, text: string): Answer {
  return { isKnown: true, code, out: "", err: `${text}\n` };
}

function isReady({ status = "open", dependencies = [] }: FakeBead, beads: readonly FakeBead[]): boolean {
  const isClosed = (id: string) => beads.find((each) => each.id === id)?.status === "closed";
  return status === "open" && dependencies.every((edge) => isClosed(edge.depends_on_id));
}

/** Why it is refused; null once it is done. */
function write(bead: FakeBead, verb: string, options: Options): string | null {
  const actor = options.actor ?? "somebody";
  const isOthers = Boolean(bead.assignee) && bead.assignee !== actor;
  if (verb === "update" && options.claim) {
    if (isOthers) return `Error claiming ${bead.id}: already claimed by ${bead.assignee}`;
    if (bead.status !== "open") return `Error: not claimable: status ${bead.status}`;
    Object.assign(bead, { status: "in_progress", assignee: actor });
  } else if (verb === "update") {
    if (isOthers) return `cannot reassign ${bead.id}: held by ${bead.assignee}`;
    if (options.status !== undefined) Object.assign(bead, { status: options.status });
    if (options.assignee !== undefined) Object.assign(bead, { assignee: options.assignee });
  } else if (verb === "close") {
    if (isOthers) return `cannot close ${bead.id}: assignee is ${bead.assignee}, actor is ${actor}`;
    if (bead.blocked) return `cannot close ${bead.id}: blocked by open issues`;
    if (bead.status !== "closed")
      Object.assign(bead, { status: "closed", close_reason: options.reason || "Closed" });
  } else if (verb === "comments add") {
    const text = readFileSync(String(options.file), "utf8");
    bead.comments = [...(bead.comments ?? []), { author: options.author, text }];
  }
  return null;
}
