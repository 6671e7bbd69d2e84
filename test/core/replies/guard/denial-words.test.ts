import { expect, test } from "vitest";
import { GUARD_CODES } from "../../../../src/core/guard/guard-verdict.js";
import { deniedCallWords, INSTEAD } from "../../../../src/core/replies/guard/denial-words.js";

test.each(GUARD_CODES)("%s: says what to do instead", (code) => {
  expect(INSTEAD[code]).toMatch(/^[A-Z].*[.)]$/);
});

test("a denial names the call, its code and the way out", () => {
  expect(deniedCallWords("push", "git push `x`")).toMatchInlineSnapshot(
    `"koryph's guard denied \`git push 'x'\` (push). Commit on your own branch and stop there: koryph takes the commits from your clone and lands them after its checks."`,
  );
});
