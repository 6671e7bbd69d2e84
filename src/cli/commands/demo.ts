import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { runGit } from "../../adapters/git/exec/run-git.js";
import { packagePath } from "../../adapters/project/package-path.js";
import { demoWords } from "../../core/replies/surfaces/demo.js";
import { DEMO_BEADS, DEMO_RUN } from "../demo/demo-backlog.js";
import { type DemoPlace, makeDemo, publish, removeDemo, writeBacklog } from "../demo/demo-repository.js";
import type { Surface } from "../program.js";
import type { Terminal } from "../text/terminal.js";

const MAIN = packagePath("dist/cli/main.js");

export function addDemo({ program, terminal, exit }: Surface): void {
  program
    .command("demo")
    .description("show koryph at work on a throw-away repository")
    .option("--keep", "leave the repository in place and say where it is")
    .action(async ({ keep }: { keep?: true }) => {
      const place = await makeDemo();
      const leave = leaveOnSignal(place);
      try {
        exit(await show(place, terminal));
      } finally {
        leave();
        if (keep) terminal.out(`\nEverything is in ${place.top}`);
        else await removeDemo(place);
      }
    });
}

/** Plan, run, kill, resume, look. Returns the exit code: 0 when everything ended as it should. */
async function show(place: DemoPlace, terminal: Terminal): Promise<number> {
  const say = (text: string) => terminal.out(`\n${terminal.paint.heading(text)}`);
  const koryph = (...args: string[]) => {
    say(`$ koryph ${args.join(" ")}`);
    return runKoryph(place, args, terminal);
  };
  terminal.out(demoWords.made(DEMO_BEADS.length));
  await koryph("plan", "audit");
  await koryph("run", "--dry-run");

  say(demoWords.signing());
  await koryph("signing", "init");
  await publish(place, "chore: allow the engine to sign");

  await writeBacklog(place, DEMO_RUN);
  say(demoWords.run());
  const flags = ["--review", "--auto-merge"];
  say(`$ koryph run ${flags.join(" ")}`);
  let started = 0;
  await runKoryph(place, ["run", ...flags], terminal, (line, kill) => {
    if (/agent started/.test(line)) started += 1;
    if (started === 3) kill();
  });
  say(demoWords.killed());
  await koryph("status");
  const code = await koryph("run", "--resume", ...flags);
  say(demoWords.ended());
  await koryph("status");
  say(demoWords.proof());
  terminal.out(await signedLog(place));
  say(demoWords.next());
  // A run that ends because nothing is left says 4, which is success.
  return code === 4 ? 0 : 1;
}

/** What git itself says of the commits that landed, by the list of signers that landed before them. */
async function signedLog({ remote, repository }: DemoPlace): Promise<string> {
  const trust = `gpg.ssh.allowedSignersFile=${repository}/.allowed_signers`;
  const format = "--format=%C(auto)%h %s%n    author %an, committer %cn";
  const args = ["-c", trust, "log", "--show-signature", format, "main"];
  return (await runGit(remote, args)).stdout.trimEnd();
}

/** Runs the command line as a process of its own, line by line, as the operator would see it. */
function runKoryph(
  place: DemoPlace,
  args: readonly string[],
  terminal: Terminal,
  onLine: (line: string, kill: () => void) => void = () => {},
): Promise<number | null> {
  const env = { ...process.env, KORYPH_HOME: place.home, KORYPH_BACKOFF_SEC: "1" };
  const child = spawn(process.execPath, [MAIN, "--project", place.repository, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      terminal.out(line);
      onLine(line, () => child.kill("SIGKILL"));
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
}

/** An interrupted demo leaves nothing behind. Its agents live for three seconds at most. */
function leaveOnSignal(place: DemoPlace): () => void {
  const leave = () => {
    void removeDemo(place).finally(() => process.exit(130));
  };
  process.once("SIGINT", leave);
  process.once("SIGTERM", leave);
  return () => {
    process.off("SIGINT", leave);
    process.off("SIGTERM", leave);
  };
}
