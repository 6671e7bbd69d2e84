import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runGit } from "../adapters/git/run-git.js";
import { WORK_FILE } from "../adapters/work/file-source.js";
import { PROJECT_FILE } from "../core/replies/project.js";
import { UserError } from "../lib/user-error.js";
import { DEMO_AGENT } from "./demo-agent.js";
import { DEMO_BEADS, DEMO_FILES, DEMO_PROJECT } from "./demo-backlog.js";

export interface DemoPlace {
  /** Everything the demo makes lies below this folder. */
  readonly top: string;
  readonly repository: string;
  readonly home: string;
}

/** A throw-away repository with a backlog, an agent beside it and a koryph home of its own. */
export async function makeDemo(): Promise<DemoPlace> {
  const top = await mkdtemp(join(tmpdir(), "koryph-demo-")).catch((error: Error) => {
    throw new UserError(
      `no temporary folder can be made: ${error.message}`,
      "set TMPDIR to a folder that exists",
    );
  });
  const place = { top, repository: join(top, "kiosk"), home: join(top, "home") };
  try {
    await fill(place);
    return place;
  } catch (error) {
    await removeDemo(place);
    throw error;
  }
}

async function fill(place: DemoPlace): Promise<void> {
  const agent = join(place.top, "agent.sh");
  await writeText(agent, DEMO_AGENT);
  await chmod(agent, 0o755);
  for (const [path, text] of Object.entries(DEMO_FILES)) await writeText(join(place.repository, path), text);
  const project = { ...DEMO_PROJECT, runtimes: { demo: { command: [agent] } } };
  await writeText(join(place.repository, PROJECT_FILE), `${JSON.stringify(project, null, 2)}\n`);
  await writeText(join(place.repository, ".koryph/.gitignore"), "*\n");
  await writeBacklog(place, DEMO_BEADS);
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["add", "."],
    [...COMMITTER, "commit", "--quiet", "-m", "chore: open the shop"],
  ]) {
    const { code, stderr } = await runGit(place.repository, args);
    if (code !== 0)
      throw new UserError(
        `git could not make the demo's repository: ${stderr.trim()}`,
        "see whether git works",
      );
  }
}

/** The operator's own hooks and keys have no business here. */
const COMMITTER = [
  "user.name=Kiosk",
  "user.email=kiosk@example.invalid",
  "commit.gpgsign=false",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

export async function writeBacklog({ repository }: DemoPlace, beads: readonly object[]): Promise<void> {
  await writeText(join(repository, WORK_FILE), beads.map((bead) => `${JSON.stringify(bead)}\n`).join(""));
}

export async function removeDemo({ top }: DemoPlace): Promise<void> {
  await rm(top, { recursive: true, force: true, maxRetries: 5 });
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
