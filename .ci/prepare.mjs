// Makes a fresh clone ready: checks the tools, installs what is missing, builds what is stale.
// Runs before every npm script of this package and inside the Action, so it is quiet and quick when
// there is nothing to do. Plain JavaScript with Node's own modules: nothing is installed yet.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { takeBuildLock } from "./build-lock.mjs";
import { isTaken, keepBuild, keptBuild, takeKept } from "./kept-builds.mjs";

const INSTALLED = "node_modules/.koryph-installed";
const BY_NPM = "node_modules/.package-lock.json";
const BUILT = "dist/.built";
/** Every module by itself, before the programs are bundled: what the tests load. */
const MODULES = "dist.modules";
/** A release brings the Action with all that it needs. */
const RELEASE = "dist/.release";
const PATIENCE_MINUTES = 15;

const ONCE =
  "koryph: this commit is no release, so the Action is installed and built here, which takes about a minute; a runner that keeps its tools (RUNNER_TOOL_CACHE) does so once.";
const KEPT = "koryph: this commit is no release, and this runner kept what was built of it before.";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What somebody can put right, in one sentence. */
class Stopped extends Error {}

function stop(sentence) {
  throw new Stopped(sentence);
}

/** In a workflow the sentence becomes an annotation, where people look first. */
function say(sentence) {
  if (process.env.GITHUB_ACTIONS !== "true") return process.stderr.write(`${sentence}\n`);
  const message = sentence.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::error title=koryph::${message}\n`);
}

function requireTools() {
  // The range of the compiler and the test tools, which leaves out 21 and the first of 22.
  const [major, minor] = process.versions.node.split(".").map(Number);
  const fits = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
  if (!fits) {
    stop(
      `koryph needs Node 20.19 or newer (of 22: 22.12 or newer, and not 21), and this is ${process.versions.node}: install another Node.`,
    );
  }
  // ssh-keygen without arguments starts a dialogue; an unknown option makes it print its usage and end.
  for (const [tool, arg, from] of [
    ["git", "--version", "git"],
    ["ssh-keygen", "-?", "OpenSSH"],
  ]) {
    if (spawnSync(tool, [arg], { stdio: "ignore" }).error) missing(tool, from);
  }
}

function missing(tool, from) {
  stop(`koryph needs ${tool}, which is not on the PATH: install ${from}.`);
}

/** A hash of what was installed from; the stamp lies in node_modules, so it goes when that goes. */
function installedFrom() {
  return createHash("sha256").update(readFileSync("package-lock.json")).update(process.version).digest("hex");
}

function isInstalled() {
  if (existsSync(INSTALLED)) return readFileSync(INSTALLED, "utf8") === installedFrom();
  return existsSync(BY_NPM) && isAsLocked();
}

/** Somebody ran `npm ci`, which removes our stamp: npm's own record says whether everything is there. */
function isAsLocked() {
  const locked = packagesOf("package-lock.json");
  const found = packagesOf(BY_NPM);
  const isSame = (path) =>
    found[path]?.version === locked[path]?.version && found[path]?.integrity === locked[path]?.integrity;
  // Packages for other platforms are left out.
  const isNeeded = (path) => path !== "" && !locked[path].optional;
  return Object.keys(locked).filter(isNeeded).every(isSame) && Object.keys(found).every(isSame);
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, "utf8")).packages ?? {};
}

function install() {
  const wanted = installedFrom();
  process.stderr.write("koryph: installing dependencies\n");
  // As a step of `npm install --global` it would be told to install globally too, which `npm ci` refuses.
  const { npm_config_global: _, npm_config_location: __, ...env } = process.env;
  // --include=dev: NODE_ENV=production, set on many servers, would leave the compiler out.
  const { error, status, signal } = spawnSync(
    "npm",
    ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    { stdio: ["ignore", 2, 2], env },
  );
  if (error?.code === "ENOENT") missing("npm", "npm, which comes with Node");
  if (error) stop(`koryph could not run npm: ${error.message}`);
  if (status !== 0) {
    stop(`koryph could not install its dependencies: npm ci ended with ${signal ?? status}, see above.`);
  }
  writeFileSync(INSTALLED, wanted);
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((time, name) => Math.max(time, newest(`${path}/${name}`)), stat.mtimeMs);
}

function isBuilt() {
  const changed = Math.max(
    newest("src"),
    newest("tsconfig.json"),
    newest("package-lock.json"),
    newest(".ci/bundle.mjs"),
    newest(".ci/bundle-programs.mjs"),
  );
  return existsSync(MODULES) && existsSync(BUILT) && statSync(BUILT).mtimeMs > changed;
}

/** Built beside and moved in: a compile error leaves the last good build in place. */
function build() {
  process.stderr.write("koryph: building\n");
  const began = new Date();
  const beside = `dist.${process.pid}`;
  const before = `${beside}.old`;
  const modules = `${beside}.old/modules`;
  try {
    const tsc = ["node_modules/typescript/bin/tsc", "--outDir", beside];
    const { error, status, signal } = spawnSync(process.execPath, tsc, { stdio: ["ignore", 2, 2] });
    if (error) stop(`koryph could not run the compiler: ${error.message}`);
    if (status !== 0) stop(`koryph could not be built: tsc ended with ${signal ?? status}, see above.`);
    cpSync(beside, modules, { recursive: true, filter: (path) => !path.endsWith(".d.ts") });
    const bundled = spawnSync(process.execPath, [".ci/bundle.mjs", beside], { stdio: ["ignore", 2, 2] });
    if (bundled.status !== 0)
      stop("koryph could not be built: its programs could not be bundled, see above.");
    writeFileSync(`${beside}/.built`, "");
    // What changes while the compiler reads is not in this build.
    utimesSync(`${beside}/.built`, began, began);
    // The stamp goes first and comes last, so that programs and modules are never taken for one build when they are of two.
    if (existsSync("dist")) renameSync("dist", `${before}/dist`);
    rmSync(MODULES, { recursive: true, force: true });
    renameSync(modules, MODULES);
    renameSync(beside, "dist");
  } finally {
    removeDrafts();
  }
}

/** Also those of processes that were killed: whoever holds the lock is the only one to build. */
function removeDrafts() {
  for (const name of readdirSync("."))
    if (/^dist\.\d+(\.old)?$/.test(name)) rmSync(name, { recursive: true, force: true });
}

/** The others who prepare this checkout wait, and find it done. */
function alone(work) {
  const release = takeBuildLock(
    ({ pid, host }) =>
      process.stderr.write(`koryph: waiting for process ${pid} on ${host}, which prepares this checkout\n`),
    PATIENCE_MINUTES * 60_000,
  );
  if (release === null) {
    stop(
      `koryph waited ${PATIENCE_MINUTES} minutes for another process to prepare this checkout: end it, or remove ${root}dist.lock if there is none.`,
    );
  }
  try {
    work();
  } finally {
    release();
  }
}

function installAndBuild() {
  if (!isInstalled()) install();
  if (!isBuilt()) build();
}

function isReady() {
  return isInstalled() && isBuilt();
}

function prepareAction(kept) {
  if (isReady() || isTaken(kept)) return;
  if (takeKept(kept)) {
    process.stdout.write(`${KEPT}\n`);
    return;
  }
  process.stdout.write(`${ONCE}\n`);
  installAndBuild();
  keepBuild(kept);
}

function sentenceFor(error) {
  if (error instanceof Stopped) return error.message;
  if (error.syscall === undefined) throw error;
  return ["EACCES", "EPERM", "EROFS"].includes(error.code)
    ? `koryph has to be built, and ${root} cannot be written (${error.message}): run \`npm run build\` as a user who may.`
    : `koryph could not be prepared in ${root}: ${error.message}`;
}

try {
  requireTools();
  process.chdir(root);
  // Whoever works on a release's sources builds them, as everybody does.
  if (!process.argv.includes("--action")) {
    if (!isReady()) alone(installAndBuild);
  } else if (!existsSync(RELEASE) && !isReady()) {
    const kept = keptBuild(process.env.RUNNER_TOOL_CACHE);
    if (!isTaken(kept)) alone(() => prepareAction(kept));
  }
} catch (error) {
  say(sentenceFor(error));
  process.exitCode = 1;
}
