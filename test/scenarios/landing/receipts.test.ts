import { execFileSync } from "node:child_process";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import type { EngineLab } from "../../support/engine/engine-lab.js";
import { sshKey } from "../../support/git/ssh-keys.js";
import { landLab, mainTip, pushAside, receiptsOf, told } from "../../support/landing/land-lab.js";
import { LONG } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

vi.setConfig({ testTimeout: 120_000 });

const PAGE = new URL("../../../docs/receipts.md", import.meta.url);

function signedLab(remote: boolean): EngineLab {
  const key = sshKey(join(tempFolder(), "engine"));
  return landLab({
    agents: { one: "commit one\ncommit two", two: "commit three" },
    remote,
    files: { ".allowed_signers": `koryph@lab namespaces="git,koryph-receipt" ${key.publicKey}\n` },
    config: () => ({
      merge_policy: "manual",
      signing: { required: true, provider: "file", key_ref: key.path },
    }),
  });
}

async function verify(lab: EngineLab, ...args: string[]) {
  const { code, stdout } = await lab.koryph("verify", ...args, "--json");
  return { code, said: JSON.parse(stdout) };
}

/** The page has the run's beads, with receipts that were verified for it. */
async function expectReport(lab: EngineLab): Promise<void> {
  const { code, stdout } = await lab.koryph("report", "--json");
  expect(code).toBe(0);
  const page = readFileSync((JSON.parse(stdout) as { path: string }).path, "utf8");
  expect(page).toContain("<dd>2 of 2</dd>");
  expect(page.match(/✓ signed, and holds/g)).toHaveLength(2);
  const refused = await lab.koryph("report", "--run", "nowhere");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("koryph: the ledger tells of no run nowhere\n  next: it tells of ");
}

test.each(LONG ? [{ remote: true }, { remote: false }] : [{ remote: true }])(
  "what koryph lands verifies, with a remote: $remote; what others push is named",
  async ({ remote }) => {
    const lab = signedLab(remote);
    const start = mainTip(lab);
    await lab.koryph("run");
    const first = await lab.koryph("land", "one");
    expect(first.stdout).toMatch(/\n {2}receipt [0-9a-f]{12}; koryph verify [0-9a-f]{12} checks it\n/);
    const { stdout } = await lab.koryph("land", "two", "--json");
    const [receipt = ""] = receiptsOf(lab, "two");
    expect(JSON.parse(stdout)).toMatchObject({ result: "merged", receipt });
    expect(told(await lab.log(), "two", "land.landed")).toMatchObject([{ receipt }]);

    expect(await verify(lab, "--all")).toMatchObject({
      code: 0,
      said: { holds: true, commits: 3, tip: receipt, offline: false, anchored: null, uncovered: [] },
    });
    const text = await lab.koryph("verify", "--all");
    expect(text.stdout).toBe(
      `holds: 3 commits of main, 2 receipts\nnewest receipt ${receipt}; whoever may write refs/koryph/receipts can rewind it, so keep that hash and give it as --tip the next time\n`,
    );
    expect(await verify(lab, "--all", "--tip", receipt)).toMatchObject({ code: 0, said: { anchored: true } });
    expect(await verify(lab, "--all", "--tip", start)).toMatchObject({ code: 1, said: { anchored: false } });
    await expectReport(lab);
    const landed = mainTip(lab);
    if (remote) {
      runPage(lab);
      renameSync(lab.remote, `${lab.remote}.away`);
      const alone = await lab.koryph("verify", "--all");
      expect(alone).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^the remote was not asked \(.*\nholds: 3 /),
      });
      renameSync(`${lab.remote}.away`, lab.remote);
    }

    const aside = pushAside(lab, "aside", "by hand");
    expect(await verify(lab, "--all")).toMatchObject({
      code: 1,
      said: { holds: false, uncovered: [{ sha: aside, subject: "fix: aside of a colleague" }] },
    });
    expect(await verify(lab, landed)).toMatchObject({ code: 0, said: { receipts: [{ bead: "two" }] } });
    expect(await verify(lab, `${start}..${landed}`)).toMatchObject({ code: 0, said: { commits: 3 } });
    expect(await verify(lab, aside)).toMatchObject({ code: 1, said: { receipts: [] } });
    expect(await lab.koryph("verify")).toMatchObject({ code: 2 });
    expect(await lab.koryph("verify", "nobody")).toMatchObject({ code: 1, stdout: "" });

    // Somebody takes the last receipt away.
    git(remote ? lab.remote : lab.root, "update-ref", "refs/koryph/receipts", `${receipt}^`);
    expect(await verify(lab, landed)).toMatchObject({ code: 1, said: { uncovered: [{ sha: landed }] } });
  },
);

/** The commands of the page, as they stand there, in a clone of somebody who has no koryph. */
function runPage(lab: EngineLab): void {
  const [, commands = ""] =
    /## The same by hand[\s\S]*?```sh\n([\s\S]*?)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
  const clone = join(lab.top, "auditor");
  git(lab.top, "clone", "--quiet", lab.remote, clone);
  const said = execFileSync("sh", ["-e", "-c", commands], {
    cwd: clone,
    env: lab.environment,
    encoding: "utf8",
  });
  expect(said).toMatch(/^Good "koryph-receipt" signature for koryph@lab with ED25519 key SHA256:\S+\n/);
  expect(said).toContain("the tree is the one that landed\nnothing else came in with it\n");
}
