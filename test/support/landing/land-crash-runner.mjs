// A command of the built koryph that kills itself at a point. Takes one JSON argument:
//   args             the command's own
//   point, when, n   where it dies, as engine-runner.mjs takes them. Parts are mined at their classes, so calls of
//                    one part by another count, too.
import { argv, kill, pid } from "node:process";

const CLASSES = {
  repo: ["adapters/git/landing/landing-repo.js", "LandingRepo"],
  receipts: ["adapters/git/receipts/git-receipts.js", "GitReceipts"],
  gate: ["adapters/gate/process-gate.js", "ProcessGate"],
  ledger: ["adapters/git/ledger/git-ledger.js", "GitLedger"],
  folders: ["adapters/home/run-folders.js", "RunFolders"],
  processes: ["adapters/process/detached-processes.js", "DetachedProcesses"],
  source: ["adapters/work/file-source.js", "FileSource"],
};

const { args, point, when, n } = JSON.parse(argv[2]);
const [path, wanted] = point.split(":");
const [part, method] = path.split(".");
const [file, name] = CLASSES[part];
const dist = new URL("../../../dist/", import.meta.url);
const { prototype } = (await import(new URL(file, dist).href))[name];
const call = prototype[method];
let calls = 0;

prototype[method] = async function mined(...given) {
  const counts = wanted === undefined || JSON.stringify(given).includes(wanted);
  if (counts) calls += 1;
  const now = counts && calls === n;
  if (now && when === "before") kill(pid, "SIGKILL");
  const result = await call.apply(this, given);
  if (now) kill(pid, "SIGKILL");
  return result;
};

// Not the bundled program: it has classes of its own.
const { runCli } = await import(new URL("cli/run-cli.js", dist).href);
const { openTerminal } = await import(new URL("cli/text/terminal.js", dist).href);
process.exitCode = await runCli(
  args,
  openTerminal(process.stdout, process.stderr, () => {}),
);
