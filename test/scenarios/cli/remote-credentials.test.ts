import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { remoteLines } from "../../support/core/ledgers.js";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { httpRemote } from "../../support/git/http-remote.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

test("credentials that only the checkout has, as actions/checkout leaves them, reach the remote for work and ledger", async () => {
  const lab = new EngineLab({ remote: true, agents: { a: commitOnce } });
  const address = await httpRemote(lab.remote, "basic dG9rZW4=");
  git(lab.root, "remote", "set-url", "origin", address);
  const refused = await lab.koryph("run");
  expect(refused.code, refused.stdout).toBe(1);
  const { origin } = new URL(address);
  git(lab.root, "config", `http.${origin}/.extraheader`, "AUTHORIZATION: basic dG9rZW4=");
  const { code, stdout, stderr } = await lab.koryph("run");
  expect({ code, stderr }, stdout).toEqual({ code: 4, stderr: "" });
  expect(remoteLines(lab.remote).join("\n")).toContain("slot.finished");
  expect(stdout).not.toContain("dG9rZW4");
});
