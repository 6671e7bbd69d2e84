import { type ChildProcess, execFile, execFileSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Clones } from "../../src/adapters/git/clones/clones.js";
import { endStandingGits } from "../../src/adapters/git/exec/standing-git.js";
import { openLandingRepo } from "../../src/adapters/git/landing/landing-repo.js";
import { GitLedger } from "../../src/adapters/git/ledger/git-ledger.js";
import { GitReceipts } from "../../src/adapters/git/receipts/git-receipts.js";
import { openRemote } from "../../src/adapters/git/remote/remote.js";
import { openSigner } from "../../src/adapters/sign/open-signer.js";
import { verifySignatures } from "../../src/adapters/sign/verify-signatures.js";
import type { Landing } from "../../src/core/run/ledger/ledger-state.js";
import { type LandParts, type LandSettings, land } from "../../src/landing/land.js";
import type { Receipts } from "../../src/ports/receipts.js";
import type { Repo } from "../../src/ports/repo.js";
import type { Signer } from "../../src/ports/signer.js";
import { DISPATCHED } from "./dispatched.js";
import { inPairs, report, reportLoad, reportPairs } from "./measure.js";

const SIZES = [1_000, 20_000];
const ROUNDS = { warmUp: 2, counted: 15 };
const COMMITS = 5;
/** More than a git takes to end once its input has. */
const ENDING_MS = 100;
const run = promisify(execFile);
const ENV = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
const REF = "refs/koryph/ledger";
const RECEIPTS = "refs/koryph/receipts";

/**
 * One landing of five signed commits on a branch that moved: fetch, signatures, rebase, signatures again, one atomic
 * push of branch, ledger and signed receipt, read back. Against a shell script that runs git for the same steps in a clone.
 */
export async function benchLanding(): Promise<void> {
  for (const files of SIZES) {
    const top = mkdtempSync(join(tmpdir(), "koryph-bench-"));
    try {
      await benchSize(top, files);
    } finally {
      rmSync(top, { recursive: true, force: true });
    }
  }
}

async function benchSize(top: string, files: number): Promise<void> {
  const world = makeWorld(top, files);
  const signer = await openSigner({
    provider: "file",
    keyRef: world.key,
    root: world.operator,
    socketFolder: top,
    env: process.env,
  });
  try {
    const { repo } = await openParts(world, signer);
    await repo.fetchBase();
    const ledger = new GitLedger({
      gitDir: join(top, "ledger.git"),
      remote: world.remote,
      ref: REF,
      actor: "bench",
      now: Date.now,
    });
    const gits: number[] = [];
    const what = `landing of ${COMMITS} signed commits, ${files} files`;
    const pairs = await inPairs(ROUNDS, async (round) => {
      const landing = await prepare(world, repo, ledger, `b-${round + ROUNDS.warmUp}`);
      await endGits();
      return {
        ours: async () => {
          const { outcome, started } = await countingGits(async () => {
            // As a command does that has just begun.
            const { repo, receipts } = await openParts(world, signer);
            return land(partsOf(ledger, repo, receipts), SETTINGS, landing);
          });
          if (outcome.kind !== "landed") throw new Error(JSON.stringify(outcome));
          if (round >= 0) gits.push(started);
        },
        plain: () => script(world, landing),
        settle: endGits,
      };
    });
    reportLoad();
    reportPairs(what, pairs, { ms: "≤ 40", ratio: "—" });
    report("git processes that ours started in a round, fewest", Math.min(...gits), "—");
    report("the same: most", Math.max(...gits), "the same");
  } finally {
    await signer.close();
  }
}

async function openParts({ top, operator }: World, signer: Signer) {
  const projectHome = join(top, "home");
  const clones = new Clones({
    projectHome,
    operatorRepo: operator,
    openRemote: () => openRemote(operator, "origin"),
    agentIdentity: { name: "agent", email: "agent@koryph.invalid" },
  });
  const repo = await openLandingRepo({
    clones,
    projectHome,
    operatorRepo: operator,
    signer,
    engineIdentity: { name: "koryph", email: "engine@koryph.invalid" },
    agentEmail: "agent@koryph.invalid",
    verify: verifySignatures,
  });
  const receipts = new GitReceipts({
    repo: join(projectHome, "repo.git"),
    reach: () => clones.reach(),
    where: { project: "bench", repository: null, koryph: "0.0.0" },
    signer,
    now: Date.now,
  });
  return { repo, receipts };
}

/** Gits that stay for the next question go with the round, so that each landing starts all that it needs. */
async function endGits(): Promise<void> {
  endStandingGits();
  await delay(ENDING_MS);
}

/** How many gits are started meanwhile. Those that git starts are not seen. */
async function countingGits<T>(work: () => Promise<T>): Promise<{ outcome: T; started: number }> {
  const children: ChildProcess[] = [];
  const note = (message: unknown) => children.push((message as { process: ChildProcess }).process);
  subscribe("child_process", note);
  try {
    const outcome = await work();
    return { outcome, started: children.filter(({ spawnfile }) => spawnfile === "git").length };
  } finally {
    unsubscribe("child_process", note);
  }
}

interface World {
  readonly top: string;
  readonly operator: string;
  readonly remote: string;
  /** The script's own remote and clone. */
  readonly otherRemote: string;
  readonly clone: string;
  readonly key: string;
}

function makeWorld(top: string, files: number): World {
  const world = {
    top,
    operator: join(top, "operator"),
    remote: join(top, "remote.git"),
    otherRemote: join(top, "other.git"),
    clone: join(top, "clone"),
    key: join(top, "key"),
  };
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", world.key]);
  mkdirSync(world.operator);
  git(world.operator, "init", "--quiet", "--initial-branch=main");
  for (let index = 0; index < files; index += 1) {
    const part = join(world.operator, `d${index % 50}`);
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `f${index}.txt`), `${index}\n`.repeat(40));
  }
  const publicKey = readFileSync(`${world.key}.pub`, "utf8");
  writeFileSync(
    join(world.operator, ".allowed_signers"),
    `koryph@bench namespaces="git,koryph-receipt" ${publicKey}`,
  );
  git(world.operator, "add", "--all");
  commit(world.operator, "chore: files");
  for (const remote of [world.remote, world.otherRemote]) {
    git(top, "clone", "--quiet", "--bare", world.operator, remote);
    git(remote, "config", "gc.auto", "0");
  }
  git(world.operator, "remote", "add", "origin", world.remote);
  git(top, "clone", "--quiet", world.otherRemote, world.clone);
  for (const [key, value] of [
    ["gpg.format", "ssh"],
    ["user.signingkey", world.key],
    ["user.name", "koryph"],
    ["user.email", "engine@koryph.invalid"],
    ["gc.auto", "0"],
  ] as const)
    git(world.clone, "config", key, value);
  return world;
}

/** Both default branches back to the start and one commit further; five signed commits on the start. */
async function prepare(world: World, repo: Repo, ledger: GitLedger, bead: string): Promise<Landing> {
  const { operator, clone } = world;
  const base = git(operator, "rev-parse", "main");
  git(operator, "checkout", "--quiet", "-B", bead, base);
  for (let index = 0; index < COMMITS; index += 1) {
    writeFileSync(join(operator, `d${index}`, `${bead}-${index}.txt`), `${bead}\n`);
    git(operator, "add", "--all");
    commit(operator, `feat: ${bead} ${index}`);
  }
  const home = join(world.top, "home", "repo.git");
  git(home, "fetch", "--quiet", operator, bead);
  const { head } = await repo.sign(bead, { base, head: git(operator, "rev-parse", bead) });
  await repo.keep(bead, head);
  git(operator, "checkout", "--quiet", "--detach", base);
  writeFileSync(join(operator, "moved.txt"), `${bead}\n`);
  git(operator, "add", "--all");
  commit(operator, `chore: before ${bead}`);
  for (const remote of [world.remote, world.otherRemote]) {
    git(home, "push", "--quiet", remote, `${head}:refs/heads/${bead}`);
    git(operator, "push", "--quiet", "--force", remote, "HEAD:main");
  }
  git(clone, "fetch", "--quiet", "origin", bead);
  git(clone, "checkout", "--quiet", "-B", bead, "FETCH_HEAD");
  await ledger.observe([
    { type: "slot.dispatching", bead, run: "r", data: DISPATCHED },
    {
      type: "slot.ended",
      bead,
      run: "r",
      data: {
        attempt: 1,
        outcome: "completed",
        detail: "",
        session: null,
        usage: { cost_usd: 0, cost_known: true },
        commits: COMMITS,
        head,
      },
    },
    { type: "slot.passed", bead, run: "r", data: { attempt: 1, note: "" } },
    {
      type: "land.requested",
      bead,
      run: "r",
      data: { branch: "main", base, head, method: "ff", by: "operator", allow_protected: false },
    },
  ]);
  await ledger.share("now");
  const { state } = await ledger.refresh();
  const landing = state.landings.find((candidate) => candidate.bead === bead);
  if (landing === undefined) throw new Error(`no landing of ${bead}`);
  return landing;
}

const SETTINGS: LandSettings = {
  rules: {
    commitStyle: "conventional",
    protectedPaths: [],
    allowSecrets: false,
    signingRequired: true,
    maxFileMb: 20,
    maxFiles: 3_000,
  },
  slot: { title: "bench", run: "r", review: null, costUsd: 0, costKnown: true },
  accepted: null,
  gate: {
    commands: [],
    folder: async () => "/nowhere",
    wallSeconds: 60,
    livenessFile: "/nowhere",
    leaseSeconds: 60,
  },
  waitsForCheckout: false,
  abort: new AbortController().signal,
};

function partsOf(ledger: GitLedger, repo: Repo, receipts: Receipts): LandParts {
  return {
    ledger,
    repo,
    receipts,
    // What the gate takes is the project's affair, not ours: it is one command that does nothing.
    gate: { recall: async () => null, run: () => run("true").then(() => ({ kind: "green" })) },
    keepReport: async () => {},
    progress: () => {},
  };
}

/** What a careful person would write by hand: the same checks, and a ledger entry and a receipt in the same push. */
function script({ clone, otherRemote, key }: World, { bead, base }: Landing): void {
  const lines = `set -e
git fetch --quiet origin main
tip=$(git rev-parse origin/main)
git show "$tip:.allowed_signers" > .git/signers
test "$(git -c gpg.ssh.allowedSignersFile=.git/signers log --format=%G? ${base}..${bead} | sort -u)" = G
test -z "$(git diff --name-only ${base}...${bead} | grep -x Makefile)"
git log --format=%s ${base}..${bead} > /dev/null
git -c rebase.autoStash=false rebase --quiet -S --onto "$tip" ${base} ${bead}
git show "$tip:.allowed_signers" > .git/signers
test "$(git -c gpg.ssh.allowedSignersFile=.git/signers log --format=%G? "$tip..${bead}" | sort -u)" = G
git merge-base --is-ancestor "$tip" ${bead}
/usr/bin/env true
old=$(git ls-remote ${otherRemote} ${REF} | cut -f1)
entry=$(echo '{"landed":"${bead}"}' | git commit-tree $(git mktree < /dev/null) \${old:+-p $old})
last=$(git ls-remote ${otherRemote} ${RECEIPTS} | cut -f1)
git log --format='{"sha":"%H"}' "$tip..${bead}" > .git/statement
rm -f .git/statement.sig
ssh-keygen -q -Y sign -n koryph-receipt -f ${key} .git/statement
said=$(git hash-object -w .git/statement)
signed=$(git hash-object -w .git/statement.sig)
tree=$(printf '100644 blob %s\\tstatement.json\\n100644 blob %s\\tstatement.sig\\n' $said $signed | git mktree)
receipt=$(echo receipt | git commit-tree $tree \${last:+-p $last})
git push --quiet --atomic --force-with-lease=refs/heads/main:$tip --force-with-lease=${REF}:$old --force-with-lease=${RECEIPTS}:$last origin ${bead}:refs/heads/main $entry:${REF} $receipt:${RECEIPTS}
git fetch --quiet origin main ${REF}
test "$(git rev-parse origin/main)" = "$(git rev-parse ${bead})"
`;
  execFileSync("sh", ["-c", lines], { cwd: clone, env: ENV, stdio: ["ignore", "ignore", "inherit"] });
}

function commit(folder: string, message: string): void {
  const who = ["-c", "user.name=koryph agent", "-c", "user.email=agent@koryph.invalid"];
  git(folder, ...who, "commit", "--quiet", "--message", message);
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: folder,
    env: ENV,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
}
