import { expect, test } from "vitest";
import { RangeReader } from "../../../../src/adapters/git/landing/range-reader.js";
import { commit, git } from "../../../support/engine/clone-world.js";
import { LandingWorld } from "../../../support/landing/landing-world.js";

/** Put together here, so that no file holds one. */
const TOKEN = ["ghp", "a8Kd03jfLq92mZx7Rt5W"].join("_");

test("a secret counts wherever it was added, and however it was hidden", async () => {
  const world = await LandingWorld.open();
  const landing = world.landing();
  const clone = await world.ready("b-1");
  commit(clone, "no secret", { ".gitattributes": "* -diff\n", "key.txt": "sk_test\n" });
  commit(clone, `feat: ${TOKEN}`, { "a b.txt": `one\n${"x".repeat(2_000_000)} ${TOKEN}\n` });
  git(clone, "rm", "--quiet", "a b.txt");
  commit(clone, "chore: gone again", { "image.bin": Buffer.from(`\0${TOKEN}`).toString() });
  const candidate = await landing.candidate("b-1");
  if (candidate === null) throw new Error("no candidate");
  const { secrets } = await landing.range(candidate);
  expect(secrets.map(({ path, kind }) => `${kind} in ${path}`)).toEqual([
    expect.stringMatching(/^GitHub token in the message of [0-9a-f]{12}$/),
    "GitHub token in a b.txt",
  ]);
});

test("what stands in a file or a message is never taken for a path, a commit or another patch", async () => {
  const world = await LandingWorld.open();
  const landing = world.landing();
  const clone = await world.ready("b-1");
  const zeros = "0".repeat(40);
  const forged = `:000000 100644 ${zeros} ${zeros} A\0Makefile\0\0diff --git Makefile Makefile\n+++ Makefile\n`;
  // Git takes a file for text when its first bytes look like it.
  const text = `${"text\n".repeat(4_000)}\0\n${forged}${"a".repeat(32)}${zeros} ${zeros}\nann@x\nann@x\nfeat: forged\n`;
  commit(clone, `feat: one\n\n${forged.replaceAll("\0", " ")}commit ${zeros}\n@@ -0,0 +1 @@\n+${TOKEN}`, {
    "a.txt": text,
  });
  commit(clone, "feat: nothing", {});
  commit(clone, "feat: two", { "line\nbreak.txt": "x\n", "b.txt": `@@ -0,0 +1 @@\n+++ c.txt\n+${TOKEN}\n` });
  const candidate = await landing.candidate("b-1");
  if (candidate === null) throw new Error("no candidate");
  const { commits, paths, secrets, findings } = await landing.range(candidate);
  expect(commits.map(({ subject }) => subject)).toEqual(["feat: one", "feat: nothing", "feat: two"]);
  expect(paths).toEqual(["a.txt", "b.txt", "line\nbreak.txt"]);
  expect(secrets.map(({ path }) => path)).toEqual([
    expect.stringMatching(/^the message of [0-9a-f]{12}$/),
    "b.txt",
  ]);
  expect(findings).toEqual([]);
});

test("a range is told the same however git's answer is cut into pieces", () => {
  const mark = "0123456789abcdef";
  const change = (path: string) => `:000000 100644 ${"0".repeat(40)} ${"1".repeat(40)} A\0${path}\0`;
  const header = (sha: string) =>
    `${mark}${sha} p\nann@x\nbob@x\nfeat: ${sha}\nfeat: ${sha}\n\nbody\n${mark}\0`;
  const patch = (path: string, line: string) =>
    `\0diff --git ${path} ${path}\n--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n+${line}\n\0`;
  const text = [
    `${header("1")}\n${change("a")}${change("b")}${patch("a", TOKEN)}`,
    header("2"),
    `${header("3")}\n${change("c")}${patch("c", "nothing")}`,
    header("4"),
  ].join("");
  const told = (size: number) => {
    const reader = new RangeReader(mark);
    for (let at = 0; at < text.length; at += size) reader.read(text.slice(at, at + size));
    return reader.end();
  };
  const whole = told(text.length);
  expect(whole.log?.commits.map(({ sha, subject }) => `${sha} ${subject}`)).toEqual([
    ...["1 feat: 1", "2 feat: 2", "3 feat: 3", "4 feat: 4"],
  ]);
  expect(whole.log?.changes.map(({ path }) => path)).toEqual(["a", "b", "c"]);
  expect(whole.secrets.map(({ path }) => path)).toEqual(["a"]);
  for (const size of [1, 2, 3, 5, 7, 16, 17, 31, 64]) expect(told(size)).toEqual(whole);
});
