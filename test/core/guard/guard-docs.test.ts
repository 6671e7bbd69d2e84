import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GUARD_CODES } from "../../../src/core/guard/guard-verdict.js";

test("docs/runtimes.md names everything that is denied, in the order of the code", () => {
  const page = readFileSync(new URL("../../../docs/runtimes.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## What an agent may not type");
  const named = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z-]+)` \|/gm)].map(
    ([, code]) => code,
  );
  expect(named.slice(0, GUARD_CODES.length)).toEqual([...GUARD_CODES]);
});
