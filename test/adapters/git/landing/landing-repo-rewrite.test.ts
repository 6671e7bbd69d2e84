import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Candidate } from "../../../../src/ports/repo.js";
import { git } from "../../../support/engine/clone-world.js";
import { ENGINE, LandingWorld, testSigner } from "../../../support/landing/landing-world.js";

const ANN = { name: "Ann", email: "ann@example.com" };
const FORGED = "-----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----\n";
const AUTHOR = "%an <%ae> %ad";

async function opened(signed = true) {
  const world = await LandingWorld.open();
  const landing = world.landing({ signer: signed ? testSigner() : null });
  return { world, landing, base: world.remoteTip };
}

/** Everything of a commit but its parents, committer and signature. */
function kept(world: LandingWorld, { base, head }: Candidate): string[] {
  const shas = git(world.repo, "rev-list", "--reverse", `${base}..${head}`).split("\n");
  return shas.map((sha) => {
    const text = world.raw(sha);
    const end = text.indexOf("\n\n");
    const lines = text.slice(0, end).split("\n");
    return [...lines.filter((line) => /^(tree|author|encoding) /.test(line)), text.slice(end)].join("\n");
  });
}

test("an agent's commits are signed, with trees, authors, dates and messages as they were", async () => {
  const { world, landing, base } = await opened();
  const messages = [
    "feat: one\n\nbody\n\nCo-authored-by: X <x@y>\n",
    "# not a comment\n; nor this\n# nor this\n",
    "no line break at the end",
    "",
    "\n\n  blank lines around \n\n\n",
    "gpgsig -----BEGIN\n author: ü 漢 \u{FFFD}\u0001\n",
    `huge\n\n${"line\n".repeat(50_000)}`,
  ];
  const candidate = world.line(base, ...messages);
  const signed = await landing.sign("b-1", candidate);
  expect(signed.base).toBe(base);
  expect(signed.head).not.toBe(candidate.head);
  expect(world.letters(signed)).toBe("G".repeat(messages.length));
  expect(kept(world, signed)).toEqual(kept(world, candidate));
  expect(world.show(signed.head, "%cn <%ce>")).toBe(`${ENGINE.name} <${ENGINE.email}>`);
  expect(await landing.sign("b-1", signed)).toEqual(signed);
});

test.each<{ name: string; given: (world: LandingWorld, base: string) => string; letters: string }>([
  {
    name: "a person's commit below an agent's stays as it is",
    given: (world, base) => world.made(world.made(base, "hers", { a: "1" }, { as: ANN }), "mine", { b: "1" }),
    letters: "NG",
  },
  {
    name: "a person's commit on top of an agent's keeps both as they are",
    given: (world, base) => world.made(world.made(base, "mine", { b: "1" }), "hers", { a: "1" }, { as: ANN }),
    letters: "NN",
  },
  {
    name: "a date from before git is kept",
    given: (world, base) => world.made(base, "x", { a: "1" }, { date: "12345 +0000" }),
    letters: "G",
  },
  {
    name: "an encoding that is said is kept",
    given: (world, base) => world.made(base, "plain\n", { a: "1" }, { headers: "encoding ISO-8859-1\n" }),
    letters: "G",
  },
  {
    name: "an author without a name cannot be kept, so nothing is signed",
    given: (world, base) => world.made(world.line(base, "good").head, "x", { a: "1" }, { author: " <a@x>" }),
    letters: "NN",
  },
  {
    name: "an author git would trim cannot be kept, so nothing is signed",
    given: (world, base) => world.made(base, "x", { a: "1" }, { author: "Dot. <a@x>" }),
    letters: "N",
  },
  {
    name: "bytes that are no UTF-8 cannot be kept, so nothing is signed",
    given: (world, base) => world.made(base, Buffer.from("caf\xe9\n", "latin1"), { a: "1" }),
    letters: "N",
  },
])("$name", async ({ given, letters }) => {
  const { world, landing, base } = await opened();
  const candidate = { base, head: given(world, base) };
  const signed = await landing.sign("b-1", candidate);
  expect(world.letters(signed)).toBe(letters);
  expect(kept(world, signed)).toEqual(kept(world, candidate));
  if (!letters.includes("G")) expect(signed).toEqual(candidate);
});

test("a commit that bears a signature already is not signed over", async () => {
  const { world, landing, base } = await opened();
  const candidate = { base, head: world.made(base, "x", { a: "1" }, { headers: `gpgsig ${FORGED}` }) };
  expect(await landing.sign("b-1", candidate)).toEqual(candidate);
});

test("without a signer nothing is signed, and a signer that fails is the operator's to put right", async () => {
  const { world, landing, base } = await opened(false);
  const candidate = world.line(base, "one");
  expect(await landing.sign("b-1", candidate)).toEqual(candidate);
  const gone = { ...testSigner(), git: { config: [["gpg.format", "ssh"] as const], env: {} } };
  const failing = world.landing({
    signer: { ...gone, git: { ...gone.git, config: [...gone.git.config, ["user.signingkey", "/none"]] } },
  });
  const moved = world.made(base, "other", { "o.txt": "o\n" }, { as: ANN });
  await expect(failing.sign("b-1", candidate)).rejects.toThrow(/could not be signed/);
  await expect(failing.rebase("b-1", candidate, moved)).rejects.toThrow(/could not be signed/);
});

test("a rebase brings commits onto another base, signed, with authors, dates and messages kept", async () => {
  const { world, landing, base } = await opened();
  const hers = world.made(base, "# hers\n\n# all\n", { "a.txt": "a\n" }, { as: ANN });
  const empty = world.made(hers, "", { "b.txt": "b\n" });
  const head = world.made(empty, "nothing in it\n", {});
  const onto = world.made(base, "other", { "o.txt": "o\n" }, { as: ANN });
  for (let time = 0; time < 2; time += 1) {
    const rebased = await landing.rebase("b-1", { base, head }, onto);
    if (rebased.kind !== "rebased") throw new Error(rebased.kind);
    expect(world.letters({ base: onto, head: rebased.head })).toBe("GGG");
    const said = (range: Candidate) =>
      git(world.repo, "log", "-z", `--format=${AUTHOR}%n%B`, `${range.base}..${range.head}`);
    expect(said({ base: onto, head: rebased.head })).toBe(said({ base, head }));
    expect(world.show(rebased.head, "%cn <%ce>")).toBe(`${ENGINE.name} <${ENGINE.email}>`);
    expect(git(world.repo, "ls-tree", "-r", "--name-only", rebased.head).split("\n")).toContain("o.txt");
  }
  expect(readdirSync(join(world.home, "scratch", "b-1"))).toEqual([]);
});

test("a rebase says in UTF-8 what was said in another encoding", async () => {
  const { world, landing, base } = await opened(false);
  const said = Buffer.from("caf\xe9\n", "latin1");
  const head = world.made(base, said, { a: "1" }, { headers: "encoding ISO-8859-1\n" });
  const onto = world.made(base, "other", { o: "1" });
  const rebased = await landing.rebase("b-1", { base, head }, onto);
  if (rebased.kind !== "rebased") throw new Error(rebased.kind);
  expect(world.raw(rebased.head)).toMatch(/\n\ncaf\xc3\xa9\n$/);
});

test("a rebase drops what the new base has already, and moves nothing that need not move", async () => {
  const { world, landing, base } = await opened();
  const candidate = world.line(base, "one", "two");
  const same = world.made(base, "one by another", { "f0.txt": "x\n" }, { as: ANN });
  const rebased = await landing.rebase("b-1", candidate, same);
  if (rebased.kind !== "rebased") throw new Error(rebased.kind);
  expect(git(world.repo, "log", "--format=%s", `${same}..${rebased.head}`)).toBe("two");
  expect(await landing.rebase("b-1", candidate, base)).toEqual({ kind: "rebased", head: candidate.head });
});

test("a conflict names its files, whatever they are called, and changes nothing", async () => {
  const { world, landing, base } = await opened();
  const odd = 'dir/new\nline "q".txt';
  const head = world.made(base, "mine", { "src/a.txt": "mine\n", [odd]: "mine\n" });
  const onto = world.made(base, "theirs", { "src/a.txt": "theirs\n", [odd]: "theirs\n" }, { as: ANN });
  const refs = git(world.repo, "for-each-ref");
  for (let time = 0; time < 2; time += 1) {
    const answer = await landing.rebase("b-1", { base, head }, onto);
    expect(answer).toEqual({ kind: "conflict", files: [odd, "src/a.txt"] });
  }
  expect(git(world.repo, "for-each-ref")).toBe(refs);
});

test("merges are not replayed", async () => {
  const { world, landing, base } = await opened();
  const one = world.made(base, "one", { a: "1" });
  const two = world.made(base, "two", { b: "1" });
  const head = world.made(one, "merge", { b: "1" }, { parents: [one, two] });
  const onto = world.made(base, "other", { o: "1" });
  expect(await landing.rebase("b-1", { base, head }, onto)).toEqual({ kind: "merges" });
  expect(await landing.sign("b-1", { base, head })).toEqual({ base, head });
});

test.each([true, false])("a squash is one commit by the first author, signed: %j", async (signed) => {
  const { world, landing, base } = await opened(signed);
  const one = world.made(base, "one", { a: "1" }, { author: "Bo Li <bo@x>" });
  const head = world.made(one, "two", { a: "2", b: "2" });
  const message = "feat: all\n\n# of it\n";
  const squashed = await landing.squash("b-1", { base, head }, message);
  expect(world.show(squashed, `%P|${AUTHOR}|%cn|%T`)).toBe(
    [base, world.show(one, AUTHOR), ENGINE.name, world.show(head, "%T")].join("|"),
  );
  expect(world.raw(squashed).endsWith(`\n\n${message}`)).toBe(true);
  expect(world.letters({ base, head: squashed })).toBe(signed ? "G" : "N");
});

test("a squash of commits whose author has no name is the engine's, and of none is a mistake", async () => {
  const { world, landing, base } = await opened();
  const head = world.made(base, "one", { a: "1" }, { author: " <a@x>" });
  const squashed = await landing.squash("b-1", { base, head }, "all");
  expect(world.show(squashed, "%an %ad")).toBe(`${ENGINE.name} ${world.show(head, "%ad")}`);
  await expect(landing.squash("b-1", { base, head: base }, "x")).rejects.toThrow("nothing to squash");
});
