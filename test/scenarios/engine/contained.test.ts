import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { git } from "../../support/cli/project.js";
import { containmentHere, pathWithoutBubblewrap } from "../../support/contained.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { tempFolder } from "../../support/temp-folder.js";

const bubblewrap = await containmentHere();

/** Tries what it was told to leave alone, and commits what came of it. */
const AGENT = `#!/bin/sh
cat >/dev/null
tell() { printf '%s\\n' "$1" >>found; }
[ -r "$SECRET" ] && tell "reads a secret of the operator's"
[ -e "$ENGINE/ledger.git" ] && tell "sees the engine's home"
(echo x >"$OUTSIDE/new") 2>/dev/null && tell "writes outside"
cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -q ENGINE_ONLY && tell "reads the engine's environment"
(echo >/dev/tcp/127.0.0.1/$PORT) 2>/dev/null && tell "connects"
tell "and works as $(id -u)"
git add found && git -c maintenance.auto=false commit --quiet -m "feat: tried"
printf '{"state":"done","note":""}' >"$KORYPH_AGENT_DIR/status.json"
`;

async function contained(config: object) {
  const outside = tempFolder();
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { port: number };
  const lab = new EngineLab({ agents: { "b-1": "" } });
  const user = lab.environment.HOME ?? "";
  mkdirSync(join(user, ".ssh"), { recursive: true });
  const secret = join(user, ".ssh", "id_ed25519");
  writeFileSync(secret, "a key\n", { mode: 0o644 });
  const values = { SECRET: secret, ENGINE: lab.projectHome, OUTSIDE: outside, PORT: `${port}` };
  const settings = Object.entries(values).map(([name, value]) => `${name}='${value}'\n`);
  const agent = join(tempFolder(), "agent.sh");
  writeFileSync(agent, AGENT.replace("cat >", `${settings.join("")}cat >`), { mode: 0o755 });
  lab.env.ENGINE_ONLY = "1";
  lab.configure({
    runtimes: { shell: { command: ["/bin/bash", agent] } },
    bootstrap: [`test ! -e ${secret}`],
    gate: [`test ! -e ${secret} && test -e README.md && git log -1 --format=%s`],
    merge_policy: "auto",
    ...config,
  });
  git(lab.root, "add", "--all");
  git(lab.root, "commit", "--quiet", "-m", "set up");
  return {
    lab,
    run: async (...flags: string[]) => {
      const ended = await lab.start("run", "--auto-merge", ...flags).ended;
      server.close();
      return ended;
    },
  };
}

describe.runIf(bubblewrap !== null)("with containment", () => {
  test("an agent reaches its clone and nothing else, and its work lands by a gate that is shut in, too", async () => {
    const { lab, run } = await contained({ containment: "required" });
    const { stdout } = await run();
    expect(stdout).toContain("b-1  landed on main");
    expect(git(lab.root, "show", "main:found")).toMatch(/^and works as \d+\n$/);
    const { slots } = JSON.parse((await lab.koryph("status", "--json")).stdout);
    expect(slots).toMatchObject([{ bead: "b-1", status: "merged", contained: "namespaces" }]);
  });
});

test("where it is off, the same agent reaches all of that", async () => {
  const { lab, run } = await contained({ containment: "off", gate: ["true"], bootstrap: [] });
  await run();
  const found = git(lab.root, "show", "main:found");
  for (const what of [
    "reads a secret",
    "sees the engine's home",
    "writes outside",
    "reads the engine's environment",
    "connects",
  ])
    expect(found).toContain(what);
});

describe("where it is required and cannot be had", () => {
  const bare = { gate: ["true"], bootstrap: [] };

  test("no agent is started, and nothing is claimed or locked", async () => {
    const { lab, run } = await contained({ containment: "required", ...bare });
    lab.env.PATH = pathWithoutBubblewrap();
    const { code, stdout, stderr } = await run();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("containment is required, and bubblewrap (`bwrap`) is not on the PATH");
    expect(stderr).toContain("apt-get install bubblewrap");
    expect(existsSync(join(lab.projectHome, "engine.lock"))).toBe(false);
  });

  test("or agents work as they are, where the project says so, and what they made waits for a person", async () => {
    const { lab, run } = await contained({ containment: { level: "required", missing: "manual" }, ...bare });
    lab.env.PATH = pathWithoutBubblewrap();
    const { stdout } = await run("--direct");
    expect(stdout).toContain("what they make waits for a person");
    expect(stdout).toContain("because containment is required and nothing shut its agent in");
    const { slots } = JSON.parse((await lab.koryph("status", "--json")).stdout);
    expect(slots).toMatchObject([{ bead: "b-1", status: "merge-pending", contained: "missing" }]);
  });
});
