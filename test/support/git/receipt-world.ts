import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeObject } from "../../../src/adapters/git/ledger/ledger-object.js";
import { GitReceipts } from "../../../src/adapters/git/receipts/git-receipts.js";
import { lengthFirst } from "../../../src/adapters/sign/agent-messages.js";
import { fingerprintOf, publicKeyOf } from "../../../src/adapters/sign/ssh-key.js";
import type { Signer } from "../../../src/ports/signer.js";

/** An ed25519 key that signs as ssh-keygen does, without a process for each signature. */
export class QuickKey {
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly #blob: Buffer;
  readonly #private: KeyObject;

  constructor() {
    const pair = generateKeyPairSync("ed25519");
    const point = pair.publicKey.export({ format: "der", type: "spki" }).subarray(-32);
    this.#blob = Buffer.concat([Buffer.from("ssh-ed25519"), point].map(lengthFirst));
    this.#private = pair.privateKey;
    this.publicKey = publicKeyOf(this.#blob);
    this.fingerprint = fingerprintOf(this.#blob);
  }

  sign(message: Uint8Array, namespace: string): string {
    const magic = Buffer.from("SSHSIG");
    const digest = createHash("sha512").update(message).digest();
    const purpose = [Buffer.from(namespace), Buffer.alloc(0), Buffer.from("sha512")].map(lengthFirst);
    const made = sign(null, Buffer.concat([magic, ...purpose, lengthFirst(digest)]), this.#private);
    const signature = Buffer.concat([Buffer.from("ssh-ed25519"), made].map(lengthFirst));
    const fields = [lengthFirst(this.#blob), ...purpose, lengthFirst(signature)];
    const blob = Buffer.concat([magic, Buffer.from([0, 0, 0, 1]), ...fields]);
    const lines = blob.toString("base64").replace(/.{70}/g, "$&\n");
    return `-----BEGIN SSH SIGNATURE-----\n${lines}\n-----END SSH SIGNATURE-----\n`;
  }

  get signer(): Signer {
    const { publicKey, fingerprint } = this;
    return {
      publicKey,
      fingerprint,
      git: { config: [], env: {} },
      signReceipt: async (message) => this.sign(message, "koryph-receipt"),
      close: async () => {},
    };
  }
}

/** A repository in which every commit is signed, and came in by a landing with its receipt. */
export class ReceiptWorld {
  readonly repo: string;
  readonly key = new QuickKey();
  /** Where the branch and the chain are. */
  tip = "";
  receipt: string | null = null;
  #tree = "";
  #commits = 0;

  constructor(folder: string) {
    this.repo = join(folder, "repo.git");
    mkdirSync(folder, { recursive: true });
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", this.repo]);
  }

  get allowed(): string {
    return `koryph@shop namespaces="git,koryph-receipt" ${this.key.publicKey}\n`;
  }

  /** The first commit, which came in by no landing. */
  async begin(allowed: string = this.allowed): Promise<void> {
    const blob = await writeObject(this.repo, "blob", allowed);
    const entry = [Buffer.from("100644 .allowed_signers\0"), Buffer.from(blob, "hex")];
    this.#tree = await writeObject(this.repo, "tree", Buffer.concat(entry));
    this.tip = await this.#commit(null);
  }

  /** One landing of so many commits. */
  async land(commits = 2, signer: Signer | null = this.key.signer): Promise<void> {
    const before = this.tip;
    const shas: string[] = [];
    for (let left = commits; left > 0; left -= 1) {
      this.tip = await this.#commit(this.tip);
      shas.push(this.tip);
    }
    const receipts = this.receipts(signer);
    const { fingerprint } = this.key;
    const move = await receipts.write(
      {
        branch: "main",
        landing: `landing-${this.#commits}`,
        bead: { id: `gh-${this.#commits}`, title: "Round prices" },
        run: "run-1",
        requested_by: { kind: "operator", actor: "ann" },
        base: { before, after: this.tip },
        head: this.tip,
        tree: this.#tree,
        commits: shas.map((sha) => ({ sha, signature: "G", signer: "koryph@shop", fingerprint })),
        approvers: [],
        checks: [],
        gate: { commands: receipts.digest(["npm test"]), result: "green" },
        review: { head: this.tip, verdict: "clean", summary: "review passed; no findings" },
        criteria: [{ id: "AC1", status: "satisfied" }],
        cost: { usd: 1.25, known: true },
      },
      { tip: this.receipt, recovered: false },
    );
    this.receipt = move.to;
  }

  /** The chain of this repository, shared through another one where that is named. */
  receipts(signer: Signer | null, remote = this.repo): GitReceipts {
    return new GitReceipts({
      repo: this.repo,
      reach: async () => ({ url: remote, pushUrl: remote, env: {} }),
      where: { project: "shop", repository: null, koryph: "1.2.3" },
      signer,
      now: () => 1_800_000_000_000,
    });
  }

  /** What a person pushed past koryph. */
  async pushBesides(): Promise<string> {
    this.tip = await this.#commit(this.tip);
    return this.tip;
  }

  async #commit(parent: string | null): Promise<string> {
    this.#commits += 1;
    const who = `Ann <ann@example.com> ${1_700_000_000 + this.#commits} +0100`;
    const head = [
      `tree ${this.#tree}`,
      ...(parent === null ? [] : [`parent ${parent}`]),
      `author ${who}`,
      `committer ${who}`,
    ].join("\n");
    const message = `\n\nfeat: ${this.#commits}\n`;
    const signature = this.key.sign(Buffer.from(head + message), "git");
    const header = `gpgsig ${signature.trimEnd().replaceAll("\n", "\n ")}`;
    return writeObject(this.repo, "commit", `${head}\n${header}${message}`);
  }
}
