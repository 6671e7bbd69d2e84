import { canonicalJson } from "../../../core/receipts/canonical-json.js";
import { preAuthEncoding } from "../../../core/receipts/envelope.js";
import type { LandingClaims } from "../../../core/receipts/landing-claims.js";
import { type LandedWhere, type LandedWork, receiptStatement } from "../../../core/receipts/statement.js";
import { redactText } from "../../../core/redact.js";
import { receiptAdvice } from "../../../core/replies/receipts/receipts.js";
import { OutsideFault } from "../../../ports/outside-fault.js";
import type { ReceiptMove, Receipts } from "../../../ports/receipts.js";
import type { Signer } from "../../../ports/signer.js";
import { hasCommitObject } from "../exec/describe-objects.js";
import { setRefs } from "../exec/move-refs-standing.js";
import { quietOutput } from "../exec/quiet-git.js";
import { runGit } from "../exec/run-git.js";
import { fetchReceipts, RECEIPTS_REF } from "../remote/fetch-remote.js";
import type { Remote } from "../remote/remote.js";
import { askRemote } from "../remote/remote-refs.js";
import { gateDigest } from "./gate-digest.js";
import { writeReceiptCommit } from "./receipt-objects.js";

export interface GitReceiptsFacts {
  /** The engine's own repository. */
  readonly repo: string;
  readonly reach: () => Promise<Remote>;
  readonly where: LandedWhere;
  /** Null where nothing is signed. */
  readonly signer: Signer | null;
  readonly now: () => number;
}

const PUSH = ["push", "--quiet", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no"];
const PUSH_MS = 60_000;

/** Receipts in a ref of the repository: one commit each, on the one before. */
export class GitReceipts implements Receipts {
  readonly #facts: GitReceiptsFacts;

  constructor(facts: GitReceiptsFacts) {
    this.#facts = facts;
  }

  digest(commands: readonly string[]): string {
    return gateDigest(commands);
  }

  async find(tip: string | null, { landing, head }: Pick<LandedWork, "landing" | "head">) {
    if (tip === null) return null;
    await this.#bring(tip);
    const args = ["log", "-1", "--first-parent", "--format=%H", "--fixed-strings"];
    const found = await quietOutput(this.#facts.repo, [
      ...args,
      `--grep=${landing} ${head}`,
      "--end-of-options",
      tip,
      "--",
    ]);
    return found === "" ? null : found.trimEnd();
  }

  async write(
    facts: LandedWork & LandingClaims,
    { tip, recovered }: { readonly tip: string | null; readonly recovered: boolean },
  ): Promise<ReceiptMove> {
    const { repo, where, signer, now } = this.#facts;
    if (tip !== null) await this.#bring(tip);
    const at = now();
    const place = { at: new Date(at).toISOString(), recovered, previous: tip };
    const statement = canonicalJson(receiptStatement({ ...withoutSecrets(facts), ...where, ...place }));
    const signature = (await signer?.signReceipt(preAuthEncoding(Buffer.from(statement)))) ?? null;
    const subject = `receipt of ${facts.bead.id}: ${facts.landing} ${facts.head}`;
    const to = await writeReceiptCommit(repo, { parent: tip, subject, statement, signature, at });
    return { ref: RECEIPTS_REF, from: tip, to };
  }

  async push(move: ReceiptMove): Promise<boolean> {
    const { repo, reach } = this.#facts;
    const remote = await reach();
    const lease = `--force-with-lease=${move.ref}:${move.from ?? ""}`;
    const args = [...PUSH, lease, "--", remote.pushUrl, `${move.to}:${move.ref}`];
    const env = { ...remote.env, GIT_DIR: repo };
    const answer = await runGit(repo, args, { env, timeoutMs: PUSH_MS });
    // Whatever git says of a push that failed, what the remote holds decides.
    const there = answer.code === 0 ? move.to : await this.#remoteTip(remote);
    if (there === move.from) throw new OutsideFault(receiptAdvice.refused(answer.stderr));
    return there === move.to;
  }

  seen(tip: string): Promise<void> {
    return setRefs(this.#facts.repo, `update ${RECEIPTS_REF} ${tip}^{commit}\n`);
  }

  async #remoteTip(remote: Remote): Promise<string | null> {
    const { tips } = await askRemote({ ...remote, url: remote.pushUrl }, [RECEIPTS_REF]);
    return tips.get(RECEIPTS_REF) ?? null;
  }

  /** Our own are here; those of other machines are fetched. */
  async #bring(tip: string): Promise<void> {
    const { repo, reach } = this.#facts;
    if (await hasCommitObject(repo, tip)) return;
    await fetchReceipts(repo, await reach());
    if (!(await hasCommitObject(repo, tip))) throw new OutsideFault(receiptAdvice.moved());
  }
}

/** A receipt is as public as the repository, and cannot be taken back. */
function withoutSecrets<T extends LandedWork & LandingClaims>(facts: T): T {
  const { bead, requested_by, review } = facts;
  return {
    ...facts,
    bead: { ...bead, title: redactText(bead.title) },
    requested_by: { ...requested_by, actor: redactText(requested_by.actor) },
    review: review && { ...review, summary: redactText(review.summary) },
  };
}
