// Makes a fresh clone ready: checks the tools, installs what is missing, builds what is stale.
// Runs before every npm script of this package and inside the Action, so it is quiet and quick when
// there is nothing to do. Plain JavaScript with Node's own modules: nothing is installed yet.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function requireTools() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    stop(`koryph needs Node 20.19 or newer, and this is ${process.versions.node}: install a newer Node.`);
  }
  // ssh-keygen without arguments starts a dialogue; an unknown option makes it print its usage and end.
  for (const [tool, arg] of [
    ["git", "--version"],
    ["ssh-keygen", "-?"],
  ]) {
    if (spawnSync(tool, [arg], { stdio: "ignore" }).error) {
      stop(`koryph needs ${tool}, which is not on the PATH: install ${tool === "git" ? "git" : "OpenSSH"}.`);
    }
  }
}

function run(command, args) {
  const result = spawnSync(command, args, { stdio: ["ignore", 2, 2] });
  if (result.error) stop(`koryph could not run ${command}: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** A hash of what was installed from; the stamp lies in node_modules, so it goes when that goes. */
function installedFrom() {
  return createHash("sha256").update(readFileSync("package-lock.json")).update(process.version).digest("hex");
}

function install() {
  const stamp = "node_modules/.koryph-installed";
  const wanted = installedFrom();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stderr.write("koryph: installing dependencies\n");
  // --include=dev: NODE_ENV=production, set on many servers, would leave the compiler out.
  run("npm", ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, wanted);
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((time, name) => Math.max(time, newest(`${path}/${name}`)), stat.mtimeMs);
}

function build() {
  const stamp = "dist/.built";
  const changed = Math.max(newest("src"), newest("tsconfig.json"), newest("package-lock.json"));
  if (existsSync(stamp) && statSync(stamp).mtimeMs > changed) return;
  process.stderr.write("koryph: building\n");
  // Built beside and moved in: a compile error leaves the last good build in place.
  const beside = `dist.${process.pid}`;
  try {
    execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "--outDir", beside], {
      stdio: ["ignore", 2, 2],
    });
    writeFileSync(`${beside}/.built`, "");
    rmSync("dist", { recursive: true, force: true });
    renameSync(beside, "dist");
  } catch {
    process.exitCode = 1;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

requireTools();
install();
build();
