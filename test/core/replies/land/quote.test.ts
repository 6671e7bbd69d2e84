import { expect, test } from "vitest";
import { quoteFew } from "../../../../src/core/replies/land/quote.js";

test.each([
  { names: ["a.txt"], said: "a.txt" },
  { names: ["a", "b", "c", "d", "e"], said: "a, b, c and 2 more" },
  { names: [" ", "\\"], said: '" ", \\' },
  { names: ["", "x "], said: '"", x' },
])("$names are named so that each can be seen", ({ names, said }) => expect(quoteFew(names)).toBe(said));
