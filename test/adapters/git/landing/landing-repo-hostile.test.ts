import { appendFileSync, chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runGit } from "../../../../src/adapters/git/exec/run-git.js";
import { openRemote } from "../../../../src/adapters/git/remote/remote.js";
import { ledgerWorld, nudge, nudges } from "../../../support/core/ledgers.js";
import { CloneWorld, commit, git, put } from "../../../support/engine/clone-world.js";
import { programSettings, tripwire } from "../../../support/engine/tripwire.js";
import { LandingWorld, testSigner } from "../../../support/landing/landing-world.js";

/** What an agent can put into a repository that it finds: it knows the way there from its borrowed objects. */
function poison(repo: string, program: string): void {
  const settings = `${programSettings(program, join(repo, "evil-hooks"))}[core]
\tattributesFile = ${join(repo, "evil-attributes")}
[gpg "ssh"]
\tdefaultKeyCommand = ${program}
[filter "worse"]
\tprocess = ${program}
\trequired = true
`;
  appendFileSync(join(repo, "config"), settings);
  put(repo, { "evil-attributes": "* filter=evil\n", "info/attributes": "*.md filter=worse\n" });
  for (const hook of [
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-push",
    "pre-rebase",
  ]) {
    put(repo, { [`evil-hooks/${hook}`]: `#!/bin/sh\n${program} ${hook}\n` });
    chmodSync(join(repo, "evil-hooks", hook), 0o755);
  }
}

const ATTRIBUTES = { ".gitattributes": "*.txt filter=evil diff=evil merge=evil\n" };

test("a configuration that an agent wrote into repo.git runs nothing, from the fetch to the landing", async () => {
  const world = await LandingWorld.open();
  const { program, fired } = tripwire(world.top);
  const landing = world.landing({ signer: testSigner() });
  await world.moveBase(ATTRIBUTES);
  commit(await world.ready("b-1"), "fix: one", { "src/a.txt": "mine\n" });
  poison(world.repo, program);
  const tip = await world.moveBase({ "src/b.txt": "theirs\n" });
  await world.clones.collect("b-1");
  await world.clones.checkpoint("b-1");
  commit(await world.ready("b-2"), "fix: two", { "src/c.txt": "c\n" });
  expect(await landing.isDirty("b-2")).toBe(false);
  const made = await landing.candidate("b-1");
  if (made === null) throw new Error("nothing to land");
  const signed = await landing.sign("b-1", made);
  const rebased = await landing.rebase("b-1", signed, tip);
  if (rebased.kind !== "rebased") throw new Error(rebased.kind);
  const { head } = rebased;
  await landing.keep("b-1", head);
  await landing.range({ base: tip, head });
  await landing.describe({ base: tip, head }, 10_000);
  const check = await landing.checkOut("c-1", head);
  expect(existsSync(join(check, "src/a.txt"))).toBe(true);
  expect(await landing.pushBase({ branch: "main", from: tip, to: head })).toEqual({ kind: "pushed" });
  await landing.drop("b-1", null);
  expect(fired()).toBe("");
});

test("a configuration that an agent wrote into ledger.git runs nothing either", async () => {
  const world = new CloneWorld();
  const { program, fired } = tripwire(world.top);
  const ledgers = ledgerWorld();
  const ledger = ledgers.ledger("a");
  await ledger.claim([nudge("one")], await ledger.refresh());
  poison(ledgers.gitDir("a"), program);
  await ledgers.ledger("b").claim([nudge("two")], await ledgers.ledger("b").refresh());
  expect(nudges(await ledger.refresh())).toEqual(["one", "two"]);
  await ledger.observe([nudge("three")]);
  await ledger.share("now");
  expect(nudges(await ledgers.ledger("b").refresh())).toHaveLength(3);
  expect(fired()).toBe("");
});

test("what an agent wrote into repo.git does not say how a remote is reached, and what the operator wrote does", async () => {
  const world = await CloneWorld.fetched();
  const { program, fired } = tripwire(world.top);
  poison(world.repo, program);
  const own = join(world.top, "own");
  writeFileSync(own, `#!/bin/sh\necho "$0 $*" >> ${own}.ran\nexit 1\n`, { mode: 0o755 });
  git(world.operator, "remote", "set-url", "origin", "ssh://nobody@localhost/x.git");
  const reach = async () => {
    const { url, env } = await openRemote(world.operator, "origin");
    await runGit(world.repo, ["ls-remote", url], {
      env: { ...env, GIT_DIR: world.repo, PATH: noSsh(world) },
    });
  };
  await reach();
  expect(fired()).toBe("");
  const before = process.env.GIT_CONFIG_GLOBAL;
  process.env.GIT_CONFIG_GLOBAL = join(world.top, "gitconfig");
  try {
    writeFileSync(join(world.top, "gitconfig"), `[core]\n\tsshCommand = ${own}\n`);
    await reach();
  } finally {
    process.env.GIT_CONFIG_GLOBAL = before;
  }
  expect(existsSync(`${own}.ran`)).toBe(true);
  expect(fired()).toBe("");
});

/** A path on which ssh is a program that does nothing. */
function noSsh(world: CloneWorld): string {
  put(world.top, { "bin/ssh": "#!/bin/sh\nexit 1\n" });
  chmodSync(join(world.top, "bin/ssh"), 0o755);
  return `${join(world.top, "bin")}:${process.env.PATH}`;
}
