import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressOf, git, openSandbox } from "../app/sandbox-lab.js";
import { baseProject } from "../cli/project.js";
import { koryphWith } from "../cli/standing-koryph.js";
import { sshKey } from "../git/ssh-keys.js";
import { tempFolder } from "../temp-folder.js";

export const SHOP = "team/shop";
const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

interface OpenedPull {
  readonly pull: number;
  readonly head: string;
}

/** A project on a loopback GitHub that maria lands pull requests of from her terminal; its gate refuses a file `red`. */
export async function pullLandingLab(config: object = {}) {
  // Seconds count for who was there first, and tests do not wait for them.
  let ahead = 0;
  const sandbox = await openSandbox({ now: () => Date.now() + ahead });
  sandbox.addUser("team", "Organization");
  for (const login of ["maria", "walter", "ann"]) sandbox.addUser(login);
  const home = tempFolder();
  const key = sshKey(join(home, "key"));
  await sandbox.addRepository({
    ...{ owner: "team", name: "shop" },
    files: {
      ".allowed_signers": `koryph@shop namespaces="git,koryph-receipt" ${key.publicKey}\n`,
      "koryph.project.json": JSON.stringify({
        ...baseProject,
        gate: ["test ! -e red"],
        signing: { provider: "file", key_ref: key.path },
        land: { approvals: 0 },
        ...config,
      }),
    },
  });
  for (const login of ["maria", "walter"]) sandbox.setRole(SHOP, login, "maintain");
  const folders = new Map<string, string>();
  const folderOf = async (who: string) => {
    const there = folders.get(who);
    if (there !== undefined) return there;
    const root = tempFolder();
    await git(root, "clone", "--quiet", addressOf(sandbox, SHOP, sandbox.tokenFor(who)), "shop");
    folders.set(who, join(root, "shop"));
    return join(root, "shop");
  };
  const variablesOf = (who: string) => ({
    ...{ HOME: home, KORYPH_HOME: join(home, who), GITHUB_TOKEN: sandbox.tokenFor(who) },
    ...{ GITHUB_SERVER_URL: sandbox.url, GITHUB_API_URL: sandbox.url },
  });
  const koryphAs = async (who: string, ...args: string[]) =>
    koryphWith(variablesOf(who), await folderOf(who), ...args);
  const repository = sandbox.world.repository(SHOP);
  if (repository === null) throw new Error("the repository is gone");
  const { gitDir } = repository;
  const tip = async (branch: string) =>
    (await sandbox.world.resolve(repository, `refs/heads/${branch}`)) ?? "";
  return {
    ...{ sandbox, koryphAs, tip, gitDir },
    koryph: (...args: string[]) => koryphAs("maria", ...args),
    pass: (seconds: number) => {
      ahead += seconds * 1_000;
    },
    /** A pull request of ann's, opened a while ago. */
    async opens(branch = "shoes", files: Readonly<Record<string, string>> = {}): Promise<OpenedPull> {
      const by = { author: "ann", message: `feat: ${branch}` };
      const head = await sandbox.commit(SHOP, branch, { [`${branch}.txt`]: "red\n", ...files }, by);
      const opened = await sandbox.openPull(SHOP, { author: "ann", head: branch, title: `feat: ${branch}` });
      ahead += 60_000;
      return { pull: opened.number, head };
    },
    moveBase: () => sandbox.commit(SHOP, "main", { "hats.txt": "x\n" }, { author: "walter" }),
    isMerged: (pull: number) =>
      repository.issues.find(({ number }) => number === pull)?.pull?.merged !== null,
    /** How often the ledger on GitHub has an event of the type. */
    async recorded(type: string): Promise<number> {
      const log = await git(gitDir, "log", "--format=%B", "refs/koryph/ledger").catch(() => "");
      return log.split("\n").filter((line) => line.includes(`"type":"${type}"`)).length;
    },
    async receipts(): Promise<number> {
      const log = await git(gitDir, "log", "--format=%H", "refs/koryph/receipts").catch(() => "");
      return log.split("\n").filter((line) => line !== "").length;
    },
    /** koryph as a process of its own that is killed as soon as GitHub has taken a push of the branch. */
    async killedAtPush(branch: string, ...args: string[]): Promise<void> {
      const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", ...variablesOf("maria") };
      const child = spawn(process.execPath, [MAIN, ...args], { cwd: await folderOf("maria"), env });
      const hook = `#!/bin/sh\ncase " $* " in *" refs/heads/${branch} "*) kill -9 ${child.pid}; sleep 1;; esac\n`;
      writeFileSync(join(gitDir, "hooks", "post-update"), hook, { mode: 0o755 });
      const signal = await new Promise((resolve) => child.once("close", (_, by) => resolve(by)));
      writeFileSync(join(gitDir, "hooks", "post-update"), "#!/bin/sh\n", { mode: 0o755 });
      if (signal !== "SIGKILL") throw new Error(`koryph ${args.join(" ")} ended before it pushed ${branch}`);
    },
  };
}
