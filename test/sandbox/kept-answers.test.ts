import { expect, test } from "vitest";
import { answerOnce } from "../../src/sandbox/git/kept-answers.js";
import { tempFolder } from "../support/temp-folder.js";

const A = "a".repeat(40);
const B = "b".repeat(40);

/** How often git is asked when the same question comes twice. */
async function asked(args: string[], result: { code?: number; stdout?: string } = {}, input?: string) {
  const gitDir = `${tempFolder()}/repository.git`;
  let times = 0;
  const ask = async () => {
    times += 1;
    return { code: result.code ?? 0, stdout: Buffer.from(result.stdout ?? "answer\n"), stderr: "" };
  };
  for (const _ of [1, 2]) await answerOnce({ gitDir, args, input }, ask);
  return times;
}

test.each([
  [["merge-base", A, B]],
  [["merge-base", "--is-ancestor", A, B], { code: 1 }],
  [["rev-list", "--reverse", `${A}..${B}`]],
  [["diff", "--patch-with-raw", "-z", A, B, "--", "any/path"]],
  [["cat-file", "blob", `${A}:README.md`]],
  [["cat-file", "--batch"], {}, `${A}\n${B}\n`],
  [["rev-parse", "--verify", "--quiet", `${A}^{commit}`]],
])("what follows from hashes alone is asked once: git %j", async (args, result = {}, input = undefined) => {
  expect(await asked(args, result, input)).toBe(1);
});

test.each([
  [["merge-base", "main", A]],
  [["rev-list", "--all", `^${A}`]],
  [["rev-list", `${A}..main`]],
  [["cat-file", "--batch"], {}, `${A}\nrefs/heads/main\n`],
  [["diff-tree", "--stdin"], {}, "main\n"],
  [["for-each-ref", "refs/heads/"]],
  // An object that is not there may still come.
  [["cat-file", "--batch"], { stdout: `${A} missing\n` }, `${A}\n`],
  [["rev-parse", "--verify", "--quiet", `${A}^{commit}`], { code: 1 }],
  [["merge-base", A, B], { code: 128 }],
])("what may change is asked for each time: git %j", async (args, result = {}, input = undefined) => {
  expect(await asked(args, result, input)).toBe(2);
});
