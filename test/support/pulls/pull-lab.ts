import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import type { PullIssue } from "../../../src/sandbox/render/pull.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/sandbox.js";
import type { Repository } from "../../../src/sandbox/world/state.js";
import { git } from "../cli/project.js";
import type { EngineLab } from "../engine/engine-lab.js";
import { sshKey } from "../git/ssh-keys.js";
import { landLab } from "../landing/land-lab.js";
import { tempFolder } from "../temp-folder.js";

export const REPOSITORY = "team/shop";
const NO_CONFIG = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

export interface PullLab {
  readonly lab: EngineLab;
  readonly sandbox: Sandbox;
  /** The operator's, as `GITHUB_TOKEN` has it. */
  readonly token: string;
  repository(): Repository;
  /** Pull requests in the order they were opened. */
  pulls(): PullIssue[];
  /** What a ref of the repository on GitHub is at; empty when it is not there. */
  tip(ref: string): string;
  /** So much later, for GitHub. */
  pass(seconds: number): void;
}

/** A project of policy pr whose remote is a loopback GitHub, with commits signed by koryph's key. */
export async function pullLab(
  agents: Parameters<typeof landLab>[0]["agents"],
  beads = {},
  config = {},
): Promise<PullLab> {
  let ahead = 0;
  const sandbox = await startSandbox({ now: () => Date.now() + ahead });
  onTestFinished(() => sandbox.close());
  sandbox.addUser("team", "Organization");
  sandbox.addUser("maria");
  await sandbox.addRepository({ owner: "team", name: "shop", files: { "README.md": "# shop\n" } });
  sandbox.setRole(REPOSITORY, "maria", "maintain");
  const token = sandbox.tokenFor("maria");
  const key = sshKey(join(tempFolder(), "engine"));
  const lab = landLab({
    agents,
    beads,
    remote: false,
    files: { ".allowed_signers": `koryph@lab namespaces="git" ${key.publicKey}\n` },
    config: () => ({
      merge_policy: "pr",
      signing: { required: true, provider: "file", key_ref: key.path },
      ...config,
    }),
  });
  git(lab.root, "remote", "add", "origin", `${sandbox.url}/${REPOSITORY}.git`);
  const basic = Buffer.from(`maria:${token}`).toString("base64");
  git(lab.root, "config", `http.${sandbox.url}/.extraheader`, `AUTHORIZATION: basic ${basic}`);
  // The server is in this process, which must not stand still meanwhile.
  const pushed = await runGit(lab.root, ["push", "--quiet", "--force", "origin", "main"], { env: NO_CONFIG });
  expect(pushed).toMatchObject({ code: 0 });
  lab.env = { GITHUB_SERVER_URL: sandbox.url, GITHUB_API_URL: sandbox.url, GITHUB_TOKEN: token };
  const repository = () => {
    const found = sandbox.world.repository(REPOSITORY);
    if (found === null) throw new Error("the repository is gone");
    return found;
  };
  return {
    ...{ lab, sandbox, token, repository },
    pulls: () => repository().issues.filter((issue): issue is PullIssue => issue.pull !== null),
    pass: (seconds) => {
      ahead += seconds * 1_000;
    },
    tip: (ref) => git(repository().gitDir, "for-each-ref", "--format=%(objectname)", ref).trim(),
  };
}
