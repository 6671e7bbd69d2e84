import { demoWords } from "../../core/replies/surfaces/demo.js";
import { DEMO_BEADS, DEMO_RUN } from "../demo/demo-backlog.js";
import {
  type DemoPlace,
  makeDemo,
  publish,
  removeDemo,
  signedLog,
  writeBacklog,
} from "../demo/demo-repository.js";
import { runKoryph } from "../demo/run-koryph.js";
import type { Surface } from "../program.js";
import type { Terminal } from "../text/terminal.js";

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
    return runKoryph(place, args, (line) => terminal.out(line));
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
  await runKoryph(place, ["run", ...flags], (line, kill) => {
    terminal.out(line);
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
