// What the Action was built to, kept where a runner keeps its tools: GitHub's runner empties the folder of the Action
// before each job, so a commit that is no release would be installed and built for every one of them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const MOST_KEPT = 5;
const TAKEN = "dist/.kept";
const SOURCES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  ".ci/bundle.mjs",
  ".ci/release.mjs",
  "src",
];

/** Where the build of these very sources is kept; null where the runner names no such place. */
export function keptBuild(tools) {
  return tools ? join(tools, "koryph", hashOf(SOURCES)) : null;
}

/** Whether `dist` is that build already. */
export function isTaken(kept) {
  return kept !== null && existsSync(TAKEN) && readFileSync(TAKEN, "utf8") === basename(kept);
}

/** Takes the build that is kept; false when there is none. */
export function takeKept(kept) {
  if (kept === null || !existsSync(kept)) return false;
  const beside = `dist.${process.pid}`;
  try {
    cpSync(kept, beside, { recursive: true });
    // It is no release: with other sources in this folder it counts no more.
    rmSync(join(beside, ".release"), { force: true });
    writeFileSync(join(beside, ".kept"), basename(kept));
    rmSync("dist", { recursive: true, force: true });
    renameSync(beside, "dist");
    return true;
  } catch {
    // Removed meanwhile, or a full disk: then it is built.
    rmSync(beside, { recursive: true, force: true });
    return false;
  }
}

/** Keeps what was built, for the next job. It spares time and nothing else, so a place that takes nothing is no failure. */
export function keepBuild(kept) {
  if (kept === null) return;
  const folder = dirname(kept);
  const draft = `${kept}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    const made = spawnSync(process.execPath, [".ci/release.mjs", "bundle", draft], { stdio: "ignore" });
    if (made.status === 0 && !existsSync(kept)) renameSync(draft, kept);
    rmSync(draft, { recursive: true, force: true });
    forgetOld(folder);
  } catch {
    // Built again next time.
  }
}

function forgetOld(folder) {
  const builds = readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/.test(name));
  const newestFirst = builds
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  for (const { path } of newestFirst.slice(MOST_KEPT)) rmSync(path, { recursive: true, force: true });
}

function hashOf(paths) {
  const hash = createHash("sha256");
  const add = (path) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(`${path}\0`).update(createHash("sha256").update(readFileSync(path)).digest());
  };
  for (const path of paths) add(path);
  return hash.digest("hex");
}
