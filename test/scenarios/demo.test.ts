import { describe, expect, test } from "vitest";
import { koryphWith } from "../support/koryph.js";
import { tempFolder } from "../support/temp-folder.js";

// A demo takes a quarter of a minute, and that it comes to its end is shown elsewhere.
describe.runIf(process.env.KORYPH_LONG)("the demo", () => {
  test("kills its engine, goes on, and ends with what to do next", () => {
    const { code, stdout } = koryphWith({ TMPDIR: tempFolder() }, tempFolder(), "demo");
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("is gone; `koryph run --resume` goes on");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("next: koryph init in your own repository");
  });
});
