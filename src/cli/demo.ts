import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runGit } from "../adapters/git/run-git.js";
import { WORK_FILE } from "../adapters/work/file-source.js";
import { PROJECT_FILE } from "../core/replies/project.js";
import { DEMO_BEADS, DEMO_FILES, DEMO_PROJECT } from "./demo-backlog.js";
import type { Surface } from "./program.js";
import { runCli } from "./run-cli.js";

export function addDemo({ program, terminal, exit }: Surface): void {
  program
    .command("demo")
    .description("show koryph at work on a throw-away repository")
    .option("--keep", "leave the repository in place and say where it is")
    .action(async ({ keep }: { keep?: true }) => {
      const root = await mkdtemp(join(tmpdir(), "koryph-demo-"));
      try {
        await makeRepository(root);
        terminal.out(`A repository with ${DEMO_BEADS.length} beads was made for this demo.`);
        for (const argv of [
          ["plan", "audit"],
          ["run", "--dry-run"],
        ]) {
          terminal.out(`\n${terminal.paint.heading(`$ koryph ${argv.join(" ")}`)}\n`);
          const code = await runCli(["--project", root, ...argv], terminal);
          if (code !== 0) return exit(code);
        }
      } finally {
        if (keep) terminal.out(`\nThe repository is in ${root}`);
        else await rm(root, { recursive: true, force: true });
      }
    });
}

async function makeRepository(root: string): Promise<void> {
  for (const [path, text] of Object.entries(DEMO_FILES)) await writeText(join(root, path), text);
  await writeText(join(root, PROJECT_FILE), `${JSON.stringify(DEMO_PROJECT, null, 2)}\n`);
  await writeText(join(root, ".koryph/.gitignore"), "*\n");
  await writeText(join(root, WORK_FILE), DEMO_BEADS.map((bead) => `${JSON.stringify(bead)}\n`).join(""));
  const who = [
    "-c",
    "user.name=Kiosk",
    "-c",
    "user.email=kiosk@example.invalid",
    "-c",
    "commit.gpgsign=false",
  ];
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["add", "."],
    [...who, "commit", "--quiet", "-m", "chore: open the shop"],
  ]) {
    const { code, stderr } = await runGit(root, args);
    if (code !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr}`);
  }
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
