import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Clones } from "../../src/adapters/git/clones/clones.js";
import { openRemote } from "../../src/adapters/git/remote/remote.js";
import { median, report, timed } from "./measure.js";

const SIZES = [1_000, 20_000];
const ENV = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

/** What a clone costs beyond the files that have to be written anyhow, and what it costs to look at one. */
export async function benchClones(): Promise<void> {
  for (const files of SIZES) {
    const top = mkdtempSync(join(tmpdir(), "koryph-bench-"));
    try {
      await benchSize(top, files, files > 1_000 ? 3 : 9);
    } finally {
      rmSync(top, { recursive: true, force: true });
    }
  }
}

async function benchSize(top: string, files: number, rounds: number): Promise<void> {
  const operator = join(top, "operator");
  fill(operator, files);
  const clones = new Clones({
    projectHome: join(top, "home"),
    operatorRepo: operator,
    openRemote: () => openRemote(operator, "origin"),
    agentIdentity: { name: "agent", email: "agent@koryph.invalid" },
  });
  await clones.fetch();
  const plain = join(top, "plain");
  git(top, "clone", "--quiet", "--bare", "--no-local", operator, join(top, "plain.git"));
  const took = {
    prepare: [] as number[],
    plain: [] as number[],
    collect: [] as number[],
    status: [] as number[],
  };
  for (let round = -1; round < rounds; round += 1) {
    const bead = `b-${round + 1}`;
    const times = {
      prepare: await timed(() => prepare(clones, bead, join(top, "runs", bead))),
      plain: await timed(() => {
        git(top, "clone", "--quiet", "--shared", "--no-checkout", join(top, "plain.git"), plain);
        git(plain, "checkout", "--quiet", "-b", `agent/${bead}`);
      }),
      collect: await timed(() => clones.collect(bead)),
      status: await timed(() => git(plain, "status", "--porcelain")),
    };
    rmSync(plain, { recursive: true, force: true });
    await clones.remove(bead);
    // The round before the first warms disk and code up.
    if (round < 0) continue;
    for (const name of Object.keys(took) as (keyof typeof took)[]) took[name].push(times[name]);
  }
  const ratio = (ours: readonly number[], plain: readonly number[]) => median(ours) / median(plain);
  report(
    `prepare, ${files} files: ours / git clone --shared + checkout`,
    ratio(took.prepare, took.plain),
    "≤ 1.2",
  );
  report(
    `collect of an idle clone, ${files} files: ours / git status`,
    ratio(took.collect, took.status),
    "≤ 6",
  );
}

async function prepare(clones: Clones, bead: string, folder: string): Promise<void> {
  const prepared = await clones.prepare({ bead, start: "fresh", bootstrap: [], folder });
  if (prepared.kind !== "ready") throw new Error(prepared.reason);
}

function fill(folder: string, files: number): void {
  mkdirSync(folder);
  git(folder, "init", "--quiet", "--initial-branch=main");
  // So many loose objects would start a repack in the background, in the middle of the measurement.
  git(folder, "config", "gc.auto", "0");
  for (let index = 0; index < files; index += 1) {
    const part = join(folder, `d${index % 50}`);
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `f${index}.txt`), `${index}\n`.repeat(40));
  }
  git(folder, "add", "--all");
  git(folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "--quiet", "-m", "files");
}

function git(folder: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: folder, env: ENV, stdio: ["ignore", "ignore", "inherit"] });
}
