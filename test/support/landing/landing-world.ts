import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LandingRepo, type LandingRepoFacts } from "../../../src/adapters/git/landing/landing-repo.js";
import { signMessage } from "../../../src/adapters/sign/sign-message.js";
import type { Candidate } from "../../../src/ports/repo.js";
import type { Signer } from "../../../src/ports/signer.js";
import { AGENT, CloneWorld, git } from "../engine/clone-world.js";
import { onFileEnd } from "../file-end.js";

export const ENGINE = { name: "koryph engine", email: "engine@koryph.invalid" };

let keys: string | null = null;

/** A signer with a key of its own, made once for each file of tests. */
export function testSigner(): Signer {
  const folder = keys ?? mkdtempSync(join(tmpdir(), "koryph-keys-"));
  if (keys === null) {
    keys = folder;
    onFileEnd(() => {
      rmSync(folder, { recursive: true, force: true });
      keys = null;
    });
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", join(keys, "key")]);
    const allowed = execFileSync("ssh-keygen", ["-y", "-f", join(keys, "key")], { encoding: "utf8" });
    writeFileSync(join(keys, "allowed"), `engine namespaces="git" ${allowed}`);
  }
  return {
    publicKey: "",
    fingerprint: "",
    git: {
      config: [
        ["gpg.format", "ssh"],
        ["user.signingkey", join(keys, "key")],
      ],
      env: {},
    },
    signReceipt: (message) => signMessage(message, { keyFile: join(folder, "key") }),
    close: async () => {},
  };
}

interface Extra {
  readonly as?: { readonly name: string; readonly email: string };
  readonly parents?: readonly string[];
  /** Further lines of the commit's head. */
  readonly headers?: string;
  readonly author?: string;
  /** When it was written. */
  readonly date?: string;
}

/** A world with a landing side, whose commits are made in `repo.git` itself: most verbs need no clone. */
export class LandingWorld extends CloneWorld {
  /** One that has fetched. */
  static open(): Promise<LandingWorld> {
    return LandingWorld.fetched();
  }

  facts(facts: Partial<LandingRepoFacts> = {}): LandingRepoFacts {
    return {
      clones: this.clones,
      projectHome: this.home,
      operatorRepo: this.operator,
      signer: null,
      engineIdentity: ENGINE,
      agentEmail: AGENT.email,
      verify: async () => [],
      ...facts,
    };
  }

  landing(facts: Partial<LandingRepoFacts> = {}): LandingRepo {
    return new LandingRepo(this.facts(facts), "remote");
  }

  /** A commit in `repo.git` with these files beside its parent's; the message goes in byte for byte. */
  made(parent: string, message: string | Buffer, files: Record<string, string>, extra: Extra = {}): string {
    const index = join(this.top, "made-index");
    const env = { GIT_INDEX_FILE: index, GIT_DIR: this.repo };
    run(["read-tree", parent], env);
    for (const [name, text] of Object.entries(files)) {
      const blob = run(["hash-object", "-w", "--stdin"], env, text).trim();
      run(["update-index", "-z", "--index-info"], env, `100644 ${blob}\t${name}\0`);
    }
    const { name, email } = extra.as ?? AGENT;
    const head = [
      `tree ${run(["write-tree"], env).trim()}`,
      ...(extra.parents ?? [parent]).map((sha) => `parent ${sha}`),
      `author ${extra.author ?? `${name} <${email}>`} ${extra.date ?? "1700000000 +0130"}`,
      `committer ${name} <${email}> 1700000001 -0800`,
    ];
    const text = Buffer.concat([
      Buffer.from(`${head.join("\n")}\n${extra.headers ?? ""}\n`),
      Buffer.from(message),
    ]);
    return run(["hash-object", "-t", "commit", "-w", "--stdin"], env, text).trim();
  }

  /** A line of commits by an agent, on the default branch. */
  line(base: string, ...messages: string[]): Candidate {
    let head = base;
    for (const [at, message] of messages.entries())
      head = this.made(head, message, { [`f${at}.txt`]: "x\n" });
    return { base, head };
  }

  /** Git's letters for the signatures of a range, oldest first. */
  letters({ base, head }: Candidate): string {
    const allowed = keys === null ? "/dev/null" : join(keys, "allowed");
    const settings = ["-c", "gpg.format=ssh", "-c", `gpg.ssh.allowedSignersFile=${allowed}`];
    return git(this.repo, ...settings, "log", "--reverse", "--format=%G?", `${base}..${head}`).replaceAll(
      "\n",
      "",
    );
  }

  show(commit: string, format: string): string {
    return git(this.repo, "show", "--no-patch", `--format=${format}`, commit);
  }

  /** A commit as it is stored, each byte a character. */
  raw(commit: string): string {
    const env = { PATH: process.env.PATH ?? "", GIT_DIR: this.repo };
    return execFileSync("git", ["cat-file", "commit", commit], { env, encoding: "latin1" });
  }

  get remoteTip(): string {
    return git(this.remote, "rev-parse", "main");
  }

  /** Takes the last commit off the remote's default branch. */
  rewind(to: string): void {
    git(this.remote, "update-ref", "refs/heads/main", to);
  }
}

function run(args: string[], env: Record<string, string>, input: string | Buffer = ""): string {
  const options = { env: { PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1", ...env } };
  return execFileSync("git", args, { ...options, input, encoding: "utf8" });
}
