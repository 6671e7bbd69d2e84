import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gateEnvironment } from "../../../../src/core/land/gate-environment.js";
import { agentEnvironment } from "../../../../src/core/runtimes/agent-environment.js";
import { git } from "../../../support/cli/project.js";
import { tempFolder } from "../../../support/temp-folder.js";

const parent = { PATH: process.env.PATH };

/** A clone with a commit, and a bare repository beside it and another inside, both without that commit. */
function world() {
  const top = tempFolder();
  const [bare, clone, home] = [join(top, "push.git"), join(top, "clone"), join(top, "home")];
  git(top, "init", "--quiet", "--bare", bare);
  git(top, "init", "--quiet", "--initial-branch=main", clone);
  git(clone, "commit", "--quiet", "--allow-empty", "-m", "first");
  git(clone, "push", "--quiet", bare, "main");
  git(clone, "remote", "add", "origin", bare);
  git(clone, "clone", "--quiet", "--bare", bare, "inside.git");
  git(clone, "commit", "--quiet", "--allow-empty", "-m", "second");
  return { top, bare, clone, home };
}

describe.each([
  {
    whose: "an agent",
    build: (home: string) => agentEnvironment({ parent, home, agentFolder: home }),
  },
  { whose: "a gate", build: (home: string) => gateEnvironment({ parent, home, marker: "m" }) },
])("git as $whose has it", ({ build }) => {
  test("pushes to no origin and no host, and between folders as ever", () => {
    const { top, bare, clone, home } = world();
    const run = (...args: string[]) =>
      spawnSync("git", args, { cwd: clone, env: build(home), encoding: "utf8" });
    const addresses = [
      "origin",
      `ssh://localhost${bare}`,
      `git@localhost:${bare}`,
      "https://localhost/push.git",
      "git://localhost/push.git",
    ];
    const pushed = addresses.map((to) => ({ to, ...run("push", to, "HEAD:refs/heads/evil") }));
    expect(pushed.filter(({ stderr }) => !stderr.includes("no-push"))).toEqual([]);
    expect(git(bare, "for-each-ref", "--format=%(refname)").trim()).toBe("refs/heads/main");
    expect(run("push", "--quiet", "./inside.git", "HEAD:refs/heads/own").status).toBe(0);
    expect(run("fetch", "--quiet", "origin").status).toBe(0);
    expect(run("clone", "--quiet", `file://${bare}`, join(top, "copy")).status).toBe(0);
  });

  test("runs no command that an address names", () => {
    const { bare, clone, home } = world();
    git(clone, "config", "protocol.ext.allow", "always");
    const { stderr } = spawnSync("git", ["ls-remote", `ext::git-upload-pack ${bare}`], {
      cwd: clone,
      env: build(home),
      encoding: "utf8",
    });
    expect(stderr).toContain("transport 'ext' not allowed");
  });
});
