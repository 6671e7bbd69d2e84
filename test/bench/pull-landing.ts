import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { starterProject } from "../../src/core/config/starter-project.js";
import type { Sandbox } from "../../src/sandbox/sandbox.js";
import { report } from "./measure.js";

const SHIPPED = new URL("../../../dist/", import.meta.url);
const MAIN = fileURLToPath(new URL("cli/main.js", SHIPPED));
const REPOSITORY = "team/shop";
const ROUNDS = 3;
const run = promisify(execFile);

/**
 * `koryph land <pull request>` from the command line to its exit, with one approval: what it asks of GitHub, how often it
 * runs git, and how long it takes against the git commands alone that move the same refs.
 */
export async function benchPullLanding(): Promise<void> {
  for (const base of ["unmoved", "moved"] as const) {
    const world = await openWorld();
    try {
      const rounds: Measured[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await world.land(`b${round}`, base));
      // The first one fetches the repository.
      const [, ...counted] = rounds;
      const of = (pick: (round: Measured) => number) => median(counted.map(pick));
      const what = `landing of a pull request, base ${base}`;
      const wanted = base === "unmoved" ? "≤ 25" : "≤ 45";
      report(
        `${what}: requests to GitHub`,
        of(({ requests }) => requests),
        wanted,
      );
      report(
        `${what}: git commands`,
        of(({ gits }) => gits),
        "reported",
      );
      report(
        `${what}: koryph land / git alone`,
        of(({ ours }) => ours) / of(({ plain }) => plain),
        "reported",
      );
      report(
        `${what}: milliseconds`,
        of(({ ours }) => ours),
        "reported",
      );
    } finally {
      await world.close();
    }
  }
}

interface Measured {
  readonly requests: number;
  readonly gits: number;
  readonly ours: number;
  readonly plain: number;
}

async function openWorld() {
  const { startSandbox } = (await import(
    new URL("sandbox/sandbox.js", SHIPPED).href
  )) as typeof import("../../src/sandbox/sandbox.js");
  const top = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  let ahead = 0;
  const sandbox = await startSandbox({ now: () => Date.now() + ahead });
  await fill(sandbox, top);
  const clone = async (name: string) => {
    const address = sandbox.url.replace("//", `//x-access-token:${sandbox.tokenFor("maria")}@`);
    await git(top, "clone", "--quiet", `${address}/${REPOSITORY}.git`, name);
    return join(top, name);
  };
  const [checkout, plainClone] = [await clone("shop"), await clone("plain")];
  const log = join(top, "gits");
  writeFileSync(join(top, "git"), `#!/bin/sh\necho . >>'${log}'\nPATH=\${PATH#*:} exec git "$@"\n`, {
    mode: 0o755,
  });
  const koryph = async (who: string, ...args: string[]) => {
    const env = {
      ...{ PATH: `${top}:${process.env.PATH}`, HOME: top, KORYPH_HOME: join(top, "k") },
      ...{ GITHUB_TOKEN: sandbox.tokenFor(who), GITHUB_SERVER_URL: sandbox.url, GITHUB_API_URL: sandbox.url },
    };
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: checkout, env, stdio: "ignore" });
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (code !== 0) throw new Error(`koryph ${args.join(" ")} ended with ${code}`);
  };
  const opens = async (branch: string) => {
    const by = { author: "ann", message: `feat: ${branch}` };
    await sandbox.commit(REPOSITORY, branch, { [`${branch}.txt`]: "x\n" }, by);
    return sandbox.openPull(REPOSITORY, { author: "ann", head: branch, title: `feat: ${branch}` });
  };
  const moves = (base: "unmoved" | "moved", branch: string) =>
    base === "moved" &&
    sandbox.commit(REPOSITORY, "main", { [`${branch}-base.txt`]: "x\n" }, { author: "walter" });
  return {
    async land(branch: string, base: "unmoved" | "moved"): Promise<Measured> {
      const { number } = await opens(branch);
      ahead += 60_000;
      await koryph("walter", "review-pr", `${number}`, "--approve");
      await moves(base, branch);
      writeFileSync(log, "");
      const before = sandbox.requests.length;
      const ours = await timed(() => koryph("maria", "land", `${number}`));
      const requests = sandbox.requests.length - before;
      const gits = readFileSync(log, "utf8").split("\n").length - 1;
      await opens(`plain-${branch}`);
      await moves(base, `plain-${branch}`);
      return { requests, gits, ours, plain: await timed(() => script(plainClone, `plain-${branch}`)) };
    },
    async close() {
      await sandbox.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

async function fill(sandbox: Sandbox, top: string): Promise<void> {
  sandbox.addUser("team", "Organization");
  for (const login of ["maria", "walter", "ann"]) sandbox.addUser(login);
  const key = join(top, "key");
  await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  const config = {
    ...(JSON.parse(starterProject("shop", ["true"])) as object),
    ...{ land: { approvals: 1 }, signing: { provider: "file", key_ref: key } },
  };
  const signers = `koryph@shop namespaces="git,koryph-receipt" ${readFileSync(`${key}.pub`, "utf8")}`;
  const files = { "koryph.project.json": JSON.stringify(config), ".allowed_signers": signers };
  await sandbox.addRepository({ owner: "team", name: "shop", files });
  for (const login of ["maria", "walter"]) sandbox.setRole(REPOSITORY, login, "maintain");
}

/** Fetch, rebase where it is needed, push the branch under its lease, push the base. */
async function script(clone: string, branch: string): Promise<void> {
  const lines = `set -e
git fetch --quiet origin main ${branch}
git checkout --quiet --detach origin/${branch}
git -c user.name=x -c user.email=x@x.test rebase --quiet origin/main
git push --quiet --force-with-lease origin HEAD:refs/heads/${branch}
git push --quiet origin HEAD:refs/heads/main
git ls-remote origin main`;
  await run("sh", ["-c", lines], { cwd: clone, env: ENV });
}

const ENV = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

async function git(folder: string, ...args: string[]): Promise<void> {
  await run("git", args, { cwd: folder, env: ENV });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
