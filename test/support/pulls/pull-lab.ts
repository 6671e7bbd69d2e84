import { join } from "node:path";
import { expect } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import type { PullIssue } from "../../../src/sandbox/render/pull.js";
import { git } from "../cli/project.js";
import type { EngineLab } from "../engine/engine-lab.js";
import { sshKey } from "../git/ssh-keys.js";
import { landLab } from "../landing/land-lab.js";
import { tempFolder } from "../temp-folder.js";
import { openShop, REPOSITORY, type Shop } from "./open-shop.js";

const NO_CONFIG = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

export interface PullLab extends Shop {
  readonly lab: EngineLab;
  /** Pull requests in the order they were opened. */
  pulls(): PullIssue[];
}

/** A project of policy pr whose remote is a loopback GitHub, with commits signed by koryph's key. */
export async function pullLab(
  agents: Parameters<typeof landLab>[0]["agents"],
  beads = {},
  config = {},
): Promise<PullLab> {
  const shop = await openShop("maintain");
  const { sandbox, token } = shop;
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
  return {
    ...{ ...shop, lab },
    pulls: () => shop.repository().issues.filter((issue): issue is PullIssue => issue.pull !== null),
  };
}
