import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LandingRepo } from "../../../../src/adapters/git/landing/landing-repo.js";
import { pushRefusal } from "../../../../src/core/replies/land/landing-repo.js";
import { ledgerWorld, nudge } from "../../../support/core/ledgers.js";
import { commit, git, put, read } from "../../../support/engine/clone-world.js";
import { LandingWorld } from "../../../support/landing/landing-world.js";

async function opened() {
  const world = await LandingWorld.open();
  const from = world.remoteTip;
  const { head: to } = world.line(from, "one", "two");
  return { world, landing: world.landing(), move: { branch: "main", from, to } };
}

/** A repository without a remote, and something to land in its own checkout. */
async function alone() {
  const world = await LandingWorld.open();
  const from = world.remoteTip;
  git(world.operator, "remote", "remove", "origin");
  const { head: to } = world.line(from, "one");
  const landing = new LandingRepo(world.facts(), "checkout");
  return { world, landing, checkout: world.operator, move: { branch: "main", from, to } };
}

function hook(repository: string, name: string, text: string): void {
  put(repository, { [`hooks/${name}`]: `#!/bin/sh\n${text}\n` });
  chmodSync(join(repository, "hooks", name), 0o755);
}

test("the branch moves, and pushing again finds it moved", async () => {
  const { world, landing, move } = await opened();
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
  expect(world.remoteTip).toBe(move.to);
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
});

test("a branch that others moved stays theirs", async () => {
  const { world, landing, move } = await opened();
  const theirs = commit(world.operator, "theirs", { "t.txt": "t\n" });
  world.push();
  expect(await landing.pushBase(move)).toEqual({ kind: "moved" });
  expect(world.remoteTip).toBe(theirs);
});

test("a branch that was deleted or rewound has moved", async () => {
  const { world, landing, move } = await opened();
  const on = { ...move, from: move.to, to: world.line(move.to, "x").head };
  expect(await landing.pushBase(on)).toEqual({ kind: "moved" });
  git(world.remote, "update-ref", "-d", "refs/heads/main");
  expect(await landing.pushBase(move)).toEqual({ kind: "moved" });
});

test("a branch that went on from our own push was pushed", async () => {
  const { world, landing, move } = await opened();
  await landing.pushBase(move);
  git(world.operator, "pull", "--quiet", "--ff-only", "origin", "main");
  commit(world.operator, "on top", { "t.txt": "t\n" });
  world.push();
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
});

test("a commit that does not follow is never pushed, though the lease would hold", async () => {
  const { world, landing, move } = await opened();
  const beside = world.made(move.from, "beside", { "b.txt": "b\n" }, { parents: [] });
  await expect(landing.pushBase({ ...move, to: beside })).rejects.toThrow("does not follow");
  expect(world.remoteTip).toBe(move.from);
});

test("the team's hooks run on the remote, and their no is passed on in their words", async () => {
  const { world, landing, move } = await opened();
  const log = join(world.top, "hooks.log");
  hook(
    world.remote,
    "pre-receive",
    `echo pre >>${log}; echo "not on a friday, token=abcdef0123456789"; exit 1`,
  );
  const answer = await landing.pushBase(move);
  expect(answer).toEqual({ kind: "refused", why: expect.stringMatching(/hook declined: not on a friday/) });
  expect(JSON.stringify(answer)).not.toContain("abcdef0123456789");
  expect(world.remoteTip).toBe(move.from);
  hook(world.remote, "pre-receive", "exit 0");
  hook(world.remote, "update", `echo update >>${log}`);
  hook(world.remote, "post-receive", `echo post >>${log}`);
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
  expect(readFileSync(log, "utf8")).toBe("pre\nupdate\npost\n");
});

test("hooks of the operator's own repository stay out of a push to the remote", async () => {
  const { world, landing, move } = await opened();
  const mark = join(world.top, "ran");
  hook(join(world.operator, ".git"), "pre-push", `touch ${mark}; exit 1`);
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
  expect(existsSync(mark)).toBe(false);
});

test("a push that arrived although its connection was cut was pushed", async () => {
  const { world, landing, move } = await opened();
  // The remote takes the push and ends before it answers.
  hook(world.remote, "post-receive", "kill -KILL $PPID");
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
  expect(world.remoteTip).toBe(move.to);
});

test("a push that was cut before it arrived is refused with git's words", async () => {
  const { world, landing, move } = await opened();
  hook(world.remote, "pre-receive", "kill -KILL $PPID");
  expect(await landing.pushBase(move)).toEqual({ kind: "refused", why: expect.stringMatching(/./) });
  expect(world.remoteTip).toBe(move.from);
});

test("a remote out of reach leaves the answer open", async () => {
  const { world, landing, move } = await opened();
  git(world.operator, "remote", "set-url", "origin", join(world.top, "gone.git"));
  await expect(landing.pushBase(move)).rejects.toThrow(/cannot be read/);
});

test("a remote that appeared meanwhile is not pushed to as if it were the checkout", async () => {
  const { world, landing, move } = await alone();
  git(world.operator, "remote", "add", "origin", world.remote);
  await expect(landing.pushBase(move)).rejects.toThrow(/remotes changed/);
  expect(world.remoteTip).toBe(move.from);
});

test("a clean checkout is brought along, with files git does not track left in peace", async () => {
  const { landing, checkout, move } = await alone();
  put(checkout, { "untracked.txt": "mine\n" });
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
  expect(read(checkout, "f0.txt")).toBe("x\n");
  expect(git(checkout, "status", "--porcelain")).toBe("?? untracked.txt");
  expect(git(checkout, "rev-parse", "HEAD")).toBe(move.to);
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
});

test.each<{ name: string; given: (checkout: string) => void; why: RegExp; ofThisWork?: boolean }>([
  {
    name: "changed files",
    given: (checkout) => put(checkout, { "README.md": "mine\n" }),
    why: /^the checkout has uncommitted changes \(README\.md\); commit or stash them$/,
  },
  {
    name: "staged files",
    given: (checkout) => {
      put(checkout, { "README.md": "mine\n" });
      git(checkout, "add", "--all");
    },
    why: /^the checkout has staged changes that are in no commit \(README\.md\);/,
  },
  {
    name: "a file in the way",
    given: (checkout) => put(checkout, { "f0.txt": "mine\n" }),
    why: /has a file f0\.txt that git does not track/,
    ofThisWork: true,
  },
  {
    name: "an ignored file in the way, which git takes for worthless",
    given: (checkout) => put(checkout, { ".git/info/exclude": "f0.txt\n", "f0.txt": "mine\n" }),
    why: /has a file f0\.txt that git does not track/,
    ofThisWork: true,
  },
  {
    name: "an untracked file that is what the landing brings",
    given: (checkout) => put(checkout, { "f0.txt": "x\n" }),
    why: /files in the way that git does not track \(f0\.txt\); move/,
    ofThisWork: true,
  },
  {
    name: "another git at work",
    given: (checkout) => {
      put(checkout, { ".git/index.lock": "" });
      utimesSync(join(checkout, ".git/index.lock"), 1e9, 1e9);
    },
    why: /^another git is at work in the checkout, or a killed one left \.git\/index\.lock; /,
  },
])("a checkout with $name is left exactly as it is", async ({ given, why, ofThisWork = false }) => {
  const { landing, checkout, move } = await alone();
  given(checkout);
  const before = git(checkout, "status", "--porcelain");
  const early = await landing.checkoutObstacle("main", { base: move.from, head: move.to });
  expect(early).toEqual({ why: expect.stringMatching(why), ofThisWork });
  for (let time = 0; time < 2; time += 1) {
    expect(await landing.pushBase(move)).toEqual({ kind: "refused", why: expect.stringMatching(why) });
  }
  expect(git(checkout, "rev-parse", "main")).toBe(move.from);
  expect(git(checkout, "status", "--porcelain")).toBe(before);
});

test.each<{ name: string; place: (checkout: string) => void; what: string }>([
  {
    name: "an ignored file where the landing needs a folder",
    place: (checkout) => put(checkout, { ".git/info/exclude": "/secrets\n", secrets: "mine\n" }),
    what: "secrets",
  },
  {
    name: "an ignored file further down",
    place: (checkout) => put(checkout, { ".git/info/exclude": "deep\n", "secrets/deep": "mine\n" }),
    what: "secrets/deep",
  },
  {
    name: "an ignored link where the landing needs a folder",
    place: (checkout) => {
      put(checkout, { ".git/info/exclude": "/secrets\n" });
      mkdirSync(join(checkout, "..", "elsewhere"));
      symlinkSync("../elsewhere", join(checkout, "secrets"));
    },
    what: "secrets",
  },
])("$name refuses the landing and stays", async ({ place, what }) => {
  const { world, landing, checkout, move } = await alone();
  place(checkout);
  const before = lstatSync(join(checkout, what)).ino;
  const to = world.made(move.from, "feat: one", { "secrets/deep/readme.md": "x\n" });
  expect(await landing.pushBase({ ...move, to })).toEqual({
    kind: "refused",
    why: expect.stringContaining(`has a file ${what} that git does not track`),
  });
  expect(lstatSync(join(checkout, what)).ino).toBe(before);
  expect(git(checkout, "rev-parse", "main")).toBe(move.from);
});

test("a tracked file may become a folder: the commit before brings it back", async () => {
  const { world, landing, checkout, move } = await alone();
  const to = world.made(move.from, "feat: one", { "README.md/now.txt": "x\n" });
  expect(await landing.pushBase({ ...move, to })).toEqual({ kind: "pushed" });
  expect(read(checkout, "README.md/now.txt")).toBe("x\n");
});

test("a tracked folder may become a file, unless something in it is in no commit", async () => {
  const { world, landing, checkout, move } = await alone();
  const before = commit(checkout, "a folder", { "docs/a.md": "a\n" });
  await world.clones.fetch();
  const to = world.made(before, "feat: one", { docs: "x\n" });
  const on = { ...move, from: before, to };
  put(checkout, { ".git/info/exclude": "docs/mine\n", "docs/mine": "mine\n" });
  const why = expect.stringContaining("has a file docs/mine that git does not track");
  expect(await landing.pushBase(on)).toEqual({ kind: "refused", why });
  rmSync(join(checkout, "docs/mine"));
  expect(await landing.checkoutObstacle("main", { base: before, head: to })).toBeNull();
  expect(await landing.pushBase(on)).toEqual({ kind: "pushed" });
  expect(read(checkout, "docs")).toBe("x\n");
});

test("no hook of a checkout runs over what an agent wrote", async () => {
  const { world, landing, checkout, move } = await alone();
  const mark = join(world.top, "ran");
  for (const name of ["push-to-checkout", "pre-push", "post-checkout", "reference-transaction"]) {
    hook(join(checkout, ".git"), name, `touch ${mark}`);
  }
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
  expect(read(checkout, "f0.txt")).toBe("x\n");
  expect(existsSync(mark)).toBe(false);
});

test("a branch that is not checked out is moved, and the work on another one is not looked at", async () => {
  const { landing, checkout, move } = await alone();
  git(checkout, "checkout", "--quiet", "-b", "mine");
  put(checkout, { "README.md": "mine\n" });
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
  expect(git(checkout, "rev-parse", "main")).toBe(move.to);
  expect(git(checkout, "status", "--porcelain")).toBe(" M README.md");
});

/** Git was killed after it had written the files, and before it moved the branch. */
async function halfMoved() {
  const world = await alone();
  const { checkout, move } = world;
  const hidden = "--upload-pack=git -c transfer.hideRefs= upload-pack";
  git(checkout, "fetch", "--quiet", hidden, world.world.repo, move.to);
  git(checkout, "read-tree", "-m", "-u", "HEAD", move.to);
  return world;
}

test("a checkout whose files were written before git was killed gets its branch moved", async () => {
  const { landing, checkout, move } = await halfMoved();
  expect(git(checkout, "status", "--porcelain")).toBe("A  f0.txt");
  expect(await landing.pushBase(move)).toEqual({ kind: "pushed" });
  expect(git(checkout, "status", "--porcelain")).toBe("");
});

test("a checkout that only resembles what is to land is not touched", async () => {
  const { landing, checkout, move } = await halfMoved();
  writeFileSync(join(checkout, "f0.txt"), "not quite\n");
  expect(await landing.pushBase(move)).toMatchObject({ kind: "refused" });
  expect(read(checkout, "f0.txt")).toBe("not quite\n");
});

test("what a remote's hook says about a landing is passed on without secrets and control characters", async () => {
  const world = await LandingWorld.open();
  const landing = world.landing();
  const ledgers = ledgerWorld();
  const ledger = ledgers.ledger("a", { remote: world.remote });
  const { base: from, head: to } = world.line(world.remoteTip, "fix: one");
  const said = `no \\033[31m https://bo:hunter2@host/ ghp_${"a".repeat(36)}`;
  const hook = `#!/bin/sh\ngrep -q refs/heads/main || exit 0\nprintf '${said}\\n' >&2\nexit 1\n`;
  put(world.remote, { "hooks/pre-receive": hook });
  chmodSync(join(world.remote, "hooks/pre-receive"), 0o755);
  const moves = { refs: [{ ref: "refs/heads/main", from, to }], objects: landing.objects };
  const answer = await ledger.claimBeside([nudge("one")], await ledger.refresh(), moves);
  expect(answer).toMatchObject({
    kind: "refused",
    why: expect.stringContaining("no \u{FFFD}[31m https://host/"),
  });
  expect(JSON.stringify(answer)).not.toMatch(/hunter2|ghp_/);
});

test("a machine that was suspended before its push moves nothing once others have written the ledger", async () => {
  const world = await LandingWorld.open();
  const landing = world.landing();
  const ledgers = ledgerWorld();
  const [late, other] = ["a", "b"].map((name) => ledgers.ledger(name, { remote: world.remote }));
  const { base: from, head: to } = world.line(world.remoteTip, "fix: one");
  const seen = await late?.refresh();
  const turnedDown = await other?.claim([nudge("two")], await other.refresh());
  expect(turnedDown).toMatchObject({ kind: "won" });
  const moves = { refs: [{ ref: "refs/heads/main", from, to }], objects: landing.objects };
  expect(seen && (await late?.claimBeside([nudge("one")], seen, moves))).toMatchObject({ kind: "lost" });
  expect(git(world.remote, "rev-parse", "refs/heads/main")).toBe(from);
});

test.each<{ output: string; why: string }>([
  { output: "", why: "git gave no reason" },
  { output: "!\tx:refs/heads/main\t[remote rejected] (protected branch)\n", why: "protected branch" },
  {
    output:
      "fatal: unable to access 'https://bo:secret@host/r.git/': The requested URL returned error: 403\n",
    why: "fatal: unable to access 'https://host/r.git/': The requested URL returned error: 403",
  },
  {
    output:
      "remote: error: Unable to create '/r/.git/index.lock': File exists.\n!\tx:refs/heads/main\t[remote rejected] (Could not update working tree to new HEAD)\n",
    why: "another git is at work in the checkout, or a killed one left .git/index.lock; remove that file once no git is at work",
  },
  {
    output: `remote: \u001b[31m${"no ".repeat(500)}\n`,
    why: `\u{FFFD}[31m${"no ".repeat(500)}`.slice(0, 399).concat("…"),
  },
])("a refusal is one clean line: $why", ({ output, why }) => {
  expect(pushRefusal(output)).toBe(why);
});

test("a branch of koryph's own is made, moved from what koryph put there, and never from anything else", async () => {
  const { world, landing, move } = await opened();
  const branch = "agent/b-1";
  const at = () => git(world.remote, "rev-parse", `refs/heads/${branch}`);
  const other = world.line(move.from, "three").head;

  expect(await landing.pushBranch({ branch, from: [], to: move.to })).toEqual({ kind: "pushed" });
  expect(await landing.pushBranch({ branch, from: [], to: move.to })).toEqual({ kind: "pushed" });
  expect(at()).toBe(move.to);
  // Replayed on another base, it does not follow what was there.
  expect(await landing.pushBranch({ branch, from: [move.to], to: other })).toEqual({ kind: "pushed" });
  expect(at()).toBe(other);

  git(world.operator, "fetch", "--quiet", "origin", branch);
  git(world.operator, "checkout", "--quiet", "--detach", "FETCH_HEAD");
  const theirs = commit(world.operator, "a person's", { "t.txt": "t\n" });
  git(world.operator, "push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
  const back = { branch, from: [move.to, other], to: move.to };
  expect(await landing.pushBranch(back)).toEqual({ kind: "taken", at: theirs });
  expect(at()).toBe(theirs);

  hook(world.remote, "pre-receive", "echo no branches here >&2; exit 1");
  const refused = await landing.pushBranch({ branch: "agent/b-2", from: [], to: move.to });
  expect(refused).toEqual({ kind: "refused", why: expect.stringContaining("no branches here") });
});
