import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { failureOf, openGit, type SimpleGit } from "../../adapters/git/exec/open-git.js";
import { WORK_FILE } from "../../adapters/work/file-source.js";
import { PROJECT_FILE } from "../../core/replies/config/project.js";
import { UserError } from "../../lib/user-error.js";
import { DEMO_AGENT } from "./demo-agent.js";
import { DEMO_BEADS, DEMO_FILES, DEMO_PROJECT } from "./demo-backlog.js";

export interface DemoPlace {
  /** Everything the demo makes lies below this folder. */
  readonly top: string;
  readonly repository: string;
  /** A bare repository, in the place of a server. */
  readonly remote: string;
  readonly home: string;
  readonly key: string;
}

/** A throw-away repository with a backlog, an agent beside it and a koryph home of its own. */
export async function makeDemo(): Promise<DemoPlace> {
  const top = await mkdtemp(join(tmpdir(), "koryph-demo-")).catch((error: Error) => {
    throw new UserError(
      `no temporary folder can be made: ${error.message}`,
      "set TMPDIR to a folder that exists",
    );
  });
  const place = {
    top,
    repository: join(top, "kiosk"),
    remote: join(top, "kiosk.git"),
    home: join(top, "home"),
    key: join(top, "home", "keys", "kiosk"),
  };
  try {
    await fill(place);
    return place;
  } catch (error) {
    await removeDemo(place);
    throw error;
  }
}

async function fill(place: DemoPlace): Promise<void> {
  const { repository, remote } = place;
  const agent = join(place.top, "agent.sh");
  await writeText(agent, DEMO_AGENT);
  await chmod(agent, 0o755);
  for (const [path, text] of Object.entries(DEMO_FILES)) await writeText(join(repository, path), text);
  const project = {
    ...DEMO_PROJECT,
    runtimes: { demo: { command: [agent] } },
    signing: { required: true, provider: "file", key_ref: place.key },
  };
  await writeText(join(repository, PROJECT_FILE), `${JSON.stringify(project, null, 2)}\n`);
  await writeText(join(repository, ".koryph/.gitignore"), "*\n");
  await writeBacklog(place, DEMO_BEADS);
  await demoGit(place.top, (git) => git.init(true, ["--initial-branch=main", remote]));
  await demoGit(repository, (git) => git.init(["--initial-branch=main"]).addRemote("origin", remote));
  await publish(place, "chore: open the shop");
}

/** Commits what the shop's owner has in the checkout, and pushes it. */
export async function publish({ repository }: DemoPlace, subject: string): Promise<void> {
  await demoGit(repository, (git) => git.add(".").commit(subject).push("origin", "main"));
}

/** Whose signature koryph's commits carry. */
export const DEMO_SIGNER = `koryph@${DEMO_PROJECT.project_id}`;

/** The commits of agents on the default branch, and how many of them git finds well signed, by the list of signers there. */
export async function landedCommits({ remote, repository }: DemoPlace) {
  const git = await openGit(remote, [`gpg.ssh.allowedSignersFile=${repository}/.allowed_signers`]);
  const log = await git.raw(["log", "--author=koryph agent", "--format=%G? %GS", "main"]);
  const commits = log.split("\n").filter((line) => line !== "");
  return { commits: commits.length, good: commits.filter((line) => line === `G ${DEMO_SIGNER}`).length };
}

async function demoGit(folder: string, commands: (git: SimpleGit) => PromiseLike<unknown>): Promise<void> {
  try {
    await commands(await openGit(folder, SETTINGS));
  } catch (error) {
    const said = failureOf(error).stderr.trim();
    throw new UserError(`git could not make the demo's repository: ${said}`, "see whether git works");
  }
}

/** The operator's own hooks and keys have no business here. */
const SETTINGS = [
  "user.name=Kiosk",
  "user.email=kiosk@example.invalid",
  "commit.gpgsign=false",
  "core.hooksPath=/dev/null",
];

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
