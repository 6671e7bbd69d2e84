import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { GitLedger, type GitLedgerFacts } from "../../../src/adapters/git/ledger/git-ledger.js";
import type { EventData } from "../../../src/core/run/ledger/event-data.js";
import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";
import type { ClaimResult, LedgerView } from "../../../src/ports/ledger.js";
import { tempFolder } from "../temp-folder.js";

export const LEDGER_REF = "refs/koryph/ledger";

/** One bare remote, and as many homes as a test asks for. */
export interface LedgerWorld {
  readonly remote: string;
  readonly clock: { now: number };
  /** A ledger on its own copy; the same name gives another process's view of the same copy. */
  ledger(home: string, facts?: Partial<GitLedgerFacts>): GitLedger;
  gitDir(home: string): string;
}

export function ledgerWorld(): LedgerWorld {
  const folder = tempFolder();
  const remote = join(folder, "remote.git");
  bareGit(folder, "init", "--quiet", "--bare", remote);
  const clock = { now: 1_700_000_000_000 };
  const gitDir = (home: string) => join(folder, home, "ledger.git");
  return {
    remote,
    clock,
    gitDir,
    ledger: (home, facts = {}) =>
      new GitLedger({
        gitDir: gitDir(home),
        remote,
        ref: LEDGER_REF,
        actor: home,
        now: () => clock.now,
        ...facts,
      }),
  };
}

export function bareGit(gitDir: string, ...args: string[]): string {
  return bareGitWith("", gitDir, ...args);
}

export function bareGitWith(input: string, gitDir: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: gitDir,
    encoding: "utf8",
    input,
    stdio: ["pipe", "pipe", "pipe"],
    maxBuffer: 2 ** 28,
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Stranger",
      GIT_AUTHOR_EMAIL: "stranger@example.invalid",
      GIT_COMMITTER_NAME: "Stranger",
      GIT_COMMITTER_EMAIL: "stranger@example.invalid",
    },
  }).trim();
}

/** Appends a commit to the remote's ledger the way somebody with push rights and no koryph would. */
export function strangerPushes(remote: string, body: string): string {
  const tree = bareGitWith("", remote, "mktree");
  for (;;) {
    const tip = remoteTip(remote);
    const parent = tip ? ["-p", tip] : [];
    const commit = bareGitWith(`by hand\n\n${body}\n`, remote, "commit-tree", tree, ...parent);
    try {
      bareGit(remote, "update-ref", LEDGER_REF, commit, tip ?? "");
      return commit;
    } catch {
      // An engine pushed in between: forcing ours would take its events away, which is another story.
    }
  }
}

export function remoteTip(remote: string, ref = LEDGER_REF): string | null {
  const out = bareGit(remote, "for-each-ref", "--format=%(objectname)", ref);
  return out === "" ? null : out;
}

/** The ids of a nudge's or any event's lines on the remote, in order. */
export function remoteLines(remote: string, ref = LEDGER_REF): string[] {
  return bareGit(remote, "log", "--reverse", "--format=%b", ref)
    .split("\n")
    .filter((line) => line !== "");
}

export const nudge = (text: string, bead = "b-1"): NewEvent => ({
  type: "control.nudge",
  bead,
  data: { text },
});

export const lease = (holder: string): NewEvent => ({
  type: "lease.claimed",
  data: { holder, host: "host", ttl_seconds: 60 },
});

/** The texts of the nudges nobody has acted on, in the order of the chain. */
export function nudges({ state }: LedgerView | ClaimResult["view"]): string[] {
  return state.requests.flatMap(({ request }) => (request.verb === "nudge" ? [request.text] : []));
}

export const dispatching: EventData<"slot.dispatching"> = {
  attempt: 1,
  title: "Add a health check",
  footprint: { reads: ["docs"], writes: ["src/api"] },
  resources: ["port"],
  runtime: "command",
  model: "sonnet",
  model_why: "the default",
  merge_policy: "manual",
  risk_tier: 2,
  timeout_seconds: 3600,
  estimate_usd: 0.5,
  start: "fresh",
  session: null,
  task: "implement",
  asides: [],
};
