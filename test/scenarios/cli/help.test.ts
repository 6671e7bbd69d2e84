import { expect, test } from "vitest";
import { koryph } from "../../support/cli/standing-koryph.js";
import { tempFolder } from "../../support/temp-folder.js";

test.each([
  { argv: ["help", "nonsense"], code: 2, says: "unknown command 'nonsense'" },
  { argv: ["help", "rum"], code: 2, says: "Did you mean run?" },
  { argv: ["help", "plan", "adit"], code: 2, says: "Did you mean audit?" },
  { argv: ["plan", "help", "adit"], code: 2, says: "Did you mean audit?" },
  { argv: ["run", "--nope"], code: 2, says: "koryph run --help shows what there is." },
  { argv: ["plan", "audit", "--nope"], code: 2, says: "koryph plan audit --help shows what there is." },
  { argv: ["--nope"], code: 2, says: "koryph --help shows what there is." },
])("koryph $argv exits $code and says $says", async ({ argv, code, says }) => {
  const ended = await koryph(tempFolder(), ...argv);
  expect(ended.stderr).toContain(says);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: "" });
});

test.each([
  { argv: ["help", "plan", "audit"], says: "Usage: koryph plan audit" },
  { argv: ["plan", "help", "audit"], says: "Usage: koryph plan audit" },
  { argv: ["help"], says: "Exit codes:" },
  { argv: ["help", "run"], says: "--dry-run" },
  { argv: ["run", "--help"], says: "--project <folder>" },
])("koryph $argv shows $says", async ({ argv, says }) => {
  const { code, stdout, stderr } = await koryph(tempFolder(), ...argv);
  expect(stdout).toContain(says);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});
