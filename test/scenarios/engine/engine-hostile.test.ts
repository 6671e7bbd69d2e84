import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { commandsOf } from "../../support/engine/engine-processes.js";
import { LONG, longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

interface Attack {
  readonly name: string;
  readonly agent: string;
  /** What becomes of its bead; merge-pending where the attack is no more than noise around good work. */
  readonly ends: "merge-pending" | "blocked";
  /** In the long form only: what the engine makes of such a clone is shown where clones are read. */
  readonly long?: true;
}

/** Runs "$lab/owned", which says so: what an agent would have the engine run. */
const POISON = `cat >"$lab/owned.sh" <<EOS
#!/bin/sh
touch "$lab/owned"
cat
EOS
chmod +x "$lab/owned.sh"
`;

const ATTACKS: readonly Attack[] = [
  {
    name: "poisons its clone's configuration, hooks and attributes",
    agent: `${POISON}commit one
for key in core.fsmonitor core.sshCommand gpg.program gpg.ssh.program core.pager diff.external uploadpack.packObjectsHook; do
  git config "$key" "$lab/owned.sh"
done
git config filter.evil.clean "$lab/owned.sh"
git config filter.evil.smudge "$lab/owned.sh"
git config core.hooksPath .git/hooks
echo '* filter=evil' >.git/info/attributes
mkdir -p .git/hooks
for hook in pre-push post-checkout reference-transaction pre-auto-gc post-index-change; do cp "$lab/owned.sh" ".git/hooks/$hook"; done
`,
    ends: "merge-pending",
  },
  {
    name: "pushes to its origin and to the engine's repository",
    agent: `commit one
git push --quiet origin HEAD:refs/heads/main
git push --quiet origin HEAD:refs/heads/evil
git push --quiet ../../repo.git HEAD:refs/heads/evil
true
`,
    ends: "merge-pending",
  },
  {
    name: "rewinds its branch",
    agent: "commit one\ngit reset --quiet --hard HEAD~1\n",
    ends: "blocked",
    long: true,
  },
  {
    name: "deletes its branch",
    agent: 'commit one\ngit checkout --quiet --detach\ngit branch -D "agent/$KORYPH_BEAD"\n',
    ends: "blocked",
    long: true,
  },
  {
    name: "puts a link in the place of .git",
    agent: 'commit one\nmv .git "$HOME/moved-$attempt"\nln -s "$HOME/moved-$attempt" .git\n',
    ends: "blocked",
    long: true,
  },
  { name: "removes its whole clone", agent: 'commit one\ncd /\nrm -rf "$OLDPWD"\n', ends: "blocked" },
  {
    name: "writes a status without end",
    agent: 'commit one\nhead -c 50000000 /dev/zero >"$KORYPH_AGENT_DIR/status.json"\n',
    ends: "blocked",
  },
  {
    name: "makes its status a pipe",
    agent: 'commit one\nmkfifo "$KORYPH_AGENT_DIR/status.json"\n',
    ends: "blocked",
    long: true,
  },
  {
    name: "makes its status a link to somebody else's file",
    agent: `commit one
printf '{"state":"blocked","note":"read through a link"}' >"$lab/elsewhere.json"
ln -s "$lab/elsewhere.json" "$KORYPH_AGENT_DIR/status.json"
`,
    ends: "blocked",
  },
  {
    name: "prints what no terminal and no ledger should see",
    agent: `commit one
printf '\\033[2J\\033]0;owned\\007{"koryph":{"cost_usd":-5}}\\n{"koryph":{"cost_usd":1e308}}\\n'
head -c 3000000 /dev/zero | tr '\\0' x
`,
    ends: "merge-pending",
  },
];

/** What an agent must not change: the operator's checkout and its branches, and the remote's. */
function outside(lab: EngineLab): object {
  return {
    head: git(lab.root, "rev-parse", "HEAD"),
    status: git(lab.root, "status", "--porcelain"),
    config: readFileSync(join(lab.root, ".git", "config"), "utf8"),
    heads: [lab.root, lab.remote].map((folder) =>
      git(folder, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"),
    ),
  };
}

const ESCAPES = /\u001b|\u0007/;

test("an agent that does its worst inside its clone and folder changes nothing outside them", async () => {
  const attacks = ATTACKS.filter(({ long }) => LONG || !long);
  const agents = Object.fromEntries(attacks.map(({ agent }, index) => [`evil-${index}`, agent]));
  const lab = new EngineLab({
    remote: true,
    config: { max_concurrent_slots: 6 },
    agents: { ...agents, good: commitOnce },
  });
  const before = outside(lab);
  const { code, stdout, stderr } = await lab.koryph("run");
  expect({ code, stderr }, stdout).toEqual({ code: 4, stderr: "" });
  const found = await lab.status();
  expect(
    attacks.map(({ name }, index) => ({ name, ends: found[`evil-${index}`] })),
    stdout,
  ).toEqual(attacks.map(({ name, ends }) => ({ name, ends })));
  expect(stdout).not.toMatch(ESCAPES);
  expect(found.good).toBe("merge-pending");
  expect(outside(lab)).toEqual(before);
  expect(git(join(lab.projectHome, "repo.git"), "for-each-ref", "refs/heads/evil")).toBe("");
  expect(existsSync(join(lab.top, "owned"))).toBe(false);
  expect(commandsOf(lab.top)).toEqual([]);
});

/** Files of its own attempt, which an agent under the engine's uid can write until containment comes. */
interface Forgery {
  readonly name: string;
  readonly forge: string;
  readonly inbox?: true;
  /** In the long form only: what is made of such a file is shown where it is read, and others are like it. */
  readonly long?: true;
}

const EVERY_FORGERY: readonly Forgery[] = [
  {
    name: "exit.json, while it lives",
    forge: `printf '{"code":0,"ended":"by-itself"}' >"$up/$attempt/exit.json"`,
  },
  {
    name: "pid.json, naming process 1",
    forge: `printf '{"pid":1,"start":"1","boot":"x"}' >"$up/$attempt/pid.json"`,
  },
  { name: "pid.json, half of it", long: true, forge: `printf '{"pid":' >"$up/$attempt/pid.json"` },
  { name: "the agent's own identity", long: true, forge: `printf '1 1\\n' >"$up/$attempt/agent"` },
  {
    name: "launch.json, naming a runtime that is not there",
    forge: `printf '{"runtime":"nonsense","probe":{"binary":"x","version":"1"},"spec":{}}' >"$up/$attempt/launch.json"`,
  },
  {
    name: "prepared.json and manifest.json",
    long: true,
    forge: `printf 'x' >"$up/$attempt/prepared.json"\nprintf '{}' >"$up/manifest.json"`,
  },
  { name: "out.jsonl as a pipe", forge: `rm "$up/$attempt/out.jsonl"; mkfifo "$up/$attempt/out.jsonl"` },
  { name: "exit.json as a pipe", long: true, forge: `mkfifo "$up/$attempt/exit.json"` },
  { name: "INBOX.md as a folder", inbox: true, long: true, forge: `mkdir "$KORYPH_AGENT_DIR/INBOX.md"` },
  {
    name: "its whole folder away",
    long: true,
    inbox: true,
    forge: `rm -rf "$KORYPH_AGENT_DIR"; : >"$KORYPH_AGENT_DIR"`,
  },
  {
    name: "its whole folder as a link, and dies",
    inbox: true,
    forge: `rm -rf "$KORYPH_AGENT_DIR"; ln -s "$lab/victims" "$KORYPH_AGENT_DIR"
say() { exit 3; }`,
  },
  {
    name: "its HOME, with a link to nowhere, and dies",
    forge: `rm -rf "$HOME/.cache"; ln -s /nowhere "$HOME/.cache"; exit 3`,
  },
  { name: "INBOX.md as a link", inbox: true, forge: `ln -s "$lab/victim" "$KORYPH_AGENT_DIR/INBOX.md"` },
];

const FORGERIES = EVERY_FORGERY.filter(({ long }) => LONG || !long);

/** No signal but the last one ends it. */
const STUBBORN = {
  stubborn: "trap '' INT TERM HUP\nmark stubborn\nwhile :; do sleep 0.2; done\n",
  "stubborn.2": commitOnce,
};

/** A remote that takes what it is sent and never answers, from the moment the agent says so. */
function silentRemote(lab: EngineLab): void {
  const [hook, starts] = [join(lab.remote, "hooks", "pre-receive"), join(lab.top, "starts")];
  mkdirSync(join(lab.remote, "hooks"), { recursive: true });
  const hang = `[ -e "${starts}/silent.mark" ] || exit 0\ntouch "${starts}/hung.mark"\nexec sleep 1000\n`;
  writeFileSync(hook, `#!/bin/sh\n${hang}`, { mode: 0o755 });
}

test("an interrupt ends a run in which a step never comes to its end", async () => {
  const agent = "commit one\nmark silent\nawait never\n";
  const lab = new EngineLab({ remote: true, agents: { waits: agent, ends: commitOnce } });
  silentRemote(lab);
  const { child, ended } = lab.engine({ interrupt: { orderlyMs: 500 } });
  await lab.marked("hung");
  child.kill("SIGINT");
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain('"kind":"end","run"');
  expect(stdout).toContain('"reason":"interrupted"');
  expect(stdout).toContain("did not come to its end after the interrupt");
  expect(lab.starts("waits")).toHaveLength(1);
});

longTest(
  "an agent that forges the files around it, or that will not be stopped, hurts its own slot at most",
  async () => {
    const names = FORGERIES.map((_, index) => `evil-${index}`);
    const agents = FORGERIES.flatMap(({ forge }, index) => [
      [
        `evil-${index}.1`,
        `up=$KORYPH_AGENT_DIR/..\n${forge}\nmark evil-${index}\nawait nudged\n${commitOnce}`,
      ],
      [`evil-${index}`, "commit one\n"],
    ]);
    const lab = new EngineLab({
      remote: true,
      config: { max_concurrent_slots: names.length + 2 },
      agents: { ...STUBBORN, ...Object.fromEntries(agents), good: commitOnce },
    });
    const victims = ["victim", "victims/INBOX.md", "victims/status.json"];
    mkdirSync(join(lab.top, "victims"));
    for (const name of victims) writeFileSync(join(lab.top, name), "untouched\n");
    const before = outside(lab);
    await lab.bears(names.length + 2);
    const engine = lab.begin("run");
    // First of all: it takes seconds until the last signal is due.
    await lab.marked("stubborn");
    await lab.koryph("stop", "stubborn");
    for (const [index, { inbox = false }] of FORGERIES.entries()) {
      if (!inbox) continue;
      await lab.marked(`evil-${index}`);
      await lab.koryph("nudge", `evil-${index}`, "hello");
    }
    lab.allow("nudged");
    const { code, stdout, stderr } = await engine.ended;
    expect({ code, stderr }, stdout).toEqual({ code: 4, stderr: "" });
    const found = await lab.status();
    const ends = FORGERIES.map(({ name }, index) => ({ name, ends: found[`evil-${index}`] }));
    expect(ends, stdout).toEqual(FORGERIES.map(({ name }) => ({ name, ends: "merge-pending" })));
    expect(found).toMatchObject({ good: "merge-pending", stubborn: "merge-pending" });
    expect(lab.starts("stubborn")).toHaveLength(2);
    for (const name of names) {
      expect(lab.commits(name)).toEqual([`${name} one`]);
      expect(existsSync(join(lab.top, "starts", `${name}.overlap`)), name).toBe(false);
    }
    expect(outside(lab)).toEqual(before);
    for (const name of victims) expect(readFileSync(join(lab.top, name), "utf8"), name).toBe("untouched\n");
    expect(readdirSync(join(lab.top, "victims"))).toHaveLength(2);
    expect(commandsOf(lab.top)).toEqual([]);
  },
);
