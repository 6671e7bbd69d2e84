import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import { LedgerError } from "../../../core/run/ledger/ledger-error.js";
import { listRemote } from "../remote/remote-refs.js";
import { objectKind } from "./ledger-commits.js";
import { ledgerGit } from "./ledger-repository.js";

/** A remote that hangs is a remote that is not there. */
const TIMEOUT_MS = 60_000;

/** A ref that moved between the look and the fetch so many times is left for another time. */
export const MOST_LOOKS = 20;

export interface PushedRef {
  /** The commit to put there; null deletes the ref. */
  readonly to: string | null;
  readonly ref: string;
  /** What the remote must hold for the push to happen; null when the ref must not exist. */
  readonly expected: string | null;
}

export interface RemoteTip {
  readonly ref: string;
  readonly tip: string;
}

export type RemoteEnv = Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);

/** The ledger's remote: refs are looked up, fetched and pushed by their exact names. */
export class LedgerRemote {
  readonly #gitDir: string;
  readonly #remote: string;
  readonly #env: RemoteEnv;

  /** `env` is what git needs to reach it: the operator's checkout may hold credentials that no other place has. */
  constructor(gitDir: string, remote: string, env: RemoteEnv = {}) {
    this.#gitDir = gitDir;
    this.#remote = remote;
    this.#env = env;
  }

  /** Null when the remote has no such ref. */
  async tip(ref: string): Promise<string | null> {
    const tips = await this.list(ref);
    return tips.find((found) => found.ref === ref)?.tip ?? null;
  }

  async list(pattern: string): Promise<RemoteTip[]> {
    const answer = await listRemote({ url: this.#remote, env: await this.#reaching() }, [pattern]);
    if ("unreachable" in answer)
      throw new LedgerError("unreachable", ledgerAdvice.unreachable(answer.unreachable));
    return [...answer.tips].map(([ref, tip]) => ({ ref, tip }));
  }

  /** Brings a ref's commits here. False when the tip that was listed is not among them: it has moved since. */
  async bring({ ref, tip }: RemoteTip): Promise<boolean> {
    if (await this.#hasCommit({ ref, tip })) return true;
    // Nothing points to what is fetched, not even FETCH_HEAD, which is one file for all processes. Repacking
    // spares new objects for long enough to use them.
    // In one pack, which appears whole: loose objects come one by one, a commit before the history it has.
    const args = [
      "-c",
      "fetch.unpackLimit=1",
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      "--no-recurse-submodules",
    ];
    const { code, stderr } = await this.#talk([...args, "--", this.#remote, ref]);
    if (await this.#hasCommit({ ref, tip })) return true;
    if (code === 0 || (await this.tip(ref)) !== tip) return false;
    throw new LedgerError("unreachable", ledgerAdvice.unreachable(stderr));
  }

  /** The tip of a ref, with its commits brought here; null when the remote has no such ref. */
  async fetch(ref: string): Promise<string | null> {
    for (let left = MOST_LOOKS; left > 0; left -= 1) {
      const tip = await this.tip(ref);
      if (tip === null || (await this.bring({ ref, tip }))) return tip;
    }
    throw new LedgerError("busy", ledgerAdvice.busy(ref));
  }

  /** Throws for what is here and is no commit: no fetch will make it one, and whoever pushed it must take it away. */
  async #hasCommit({ ref, tip }: RemoteTip): Promise<boolean> {
    const kind = await objectKind(this.#gitDir, tip);
    if (kind !== null && kind !== "commit")
      throw new LedgerError("rewound", ledgerAdvice.notACommit(ref, kind, tip, this.#gitDir));
    return kind === "commit";
  }

  /**
   * All refs or none, each only from what is expected: `code` 0 when they moved. Any other answer leaves
   * open what the remote holds now, since a connection can be cut after the push arrived. `objects` is where
   * commits are found that this repository does not have.
   */
  push(
    refs: readonly PushedRef[],
    objects?: string,
  ): Promise<{ readonly code: number; readonly stderr: string }> {
    const leases = refs.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ""}`);
    const specs = refs.map(({ ref, to }) => `${to ?? ""}:${ref}`);
    const atomic = refs.length > 1 ? ["--atomic"] : [];
    const args = ["push", "--quiet", "--no-verify", "--no-follow-tags", "--no-signed", ...atomic, ...leases];
    const borrowed = objects === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    return this.#talk([...args, "--", this.#remote, ...specs], borrowed);
  }

  async #talk(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const reaching = await this.#reaching();
    return ledgerGit(this.#gitDir, args, { timeoutMs: TIMEOUT_MS, env: { ...reaching, ...env } });
  }

  async #reaching(): Promise<Readonly<Record<string, string>>> {
    return typeof this.#env === "function" ? this.#env() : this.#env;
  }
}
