import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyChain } from "../../src/adapters/git/receipts/verify-chain.js";
import { ReceiptWorld } from "../support/git/receipt-world.js";
import { report, timed } from "./measure.js";

const LANDINGS = 1_000;
const ENV = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

/** Every receipt and every commit of a thousand landings, against git's own look at the same commits' signatures. */
export async function benchReceipts(): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  try {
    const world = new ReceiptWorld(top);
    await world.begin();
    const first = world.tip;
    for (let left = LANDINGS; left > 0; left -= 1) await world.land(1);
    const { repo, tip, receipt } = world;
    git(repo, "update-ref", "refs/heads/main", tip);
    git(repo, "update-ref", "refs/koryph/receipts", receipt ?? "");
    git(repo, "gc", "--quiet");
    writeFileSync(join(top, "signers"), world.allowed);
    const ours = await timed(async () => {
      const branch = { name: "main", tip };
      const answer = await verifyChain({ repo, tip: receipt, branch, about: "all", anchor: null });
      if (!answer.holds || answer.receipts.length !== LANDINGS) throw new Error("it does not hold");
    });
    const settings = ["-c", "gpg.format=ssh", "-c", `gpg.ssh.allowedSignersFile=${join(top, "signers")}`];
    const plain = await timed(() => git(repo, ...settings, "log", "--show-signature", `${first}..${tip}`));
    report(`verify of ${LANDINGS} receipts: ours / git log --show-signature`, ours / plain, "≤ 2");
    report(`verify of ${LANDINGS} receipts: milliseconds`, ours, "reported");
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function git(folder: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: folder, env: ENV, stdio: ["ignore", "ignore", "inherit"] });
}
