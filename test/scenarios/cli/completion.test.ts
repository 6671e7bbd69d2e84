import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { koryph } from "../../support/cli/standing-koryph.js";
import { tempFolder } from "../../support/temp-folder.js";

/** What bash would offer after these words, asked of a real bash. */
async function offered(...words: string[]): Promise<string[]> {
  const folder = tempFolder();
  writeFileSync(join(folder, "koryph.bash"), (await koryph(folder, "completion", "bash")).stdout);
  const script = `source koryph.bash; COMP_WORDS=(koryph "$@"); COMP_CWORD=$#; _koryph koryph "\${!#}"; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script, "bash", ...words], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.split(/\s+/).filter((word) => word !== "");
}

test.each([
  { typed: ["pl"], offers: ["plan"] },
  { typed: ["plan", ""], offers: ["audit", "learn", "help", "--help", "--project"] },
  { typed: ["run", "--dr"], offers: ["--dry-run"] },
  { typed: ["plan", "audit", "--p"], offers: ["--project"] },
  { typed: ["completion", ""], offers: ["bash", "zsh", "fish", "--help", "--project"] },
  { typed: ["help", "pl"], offers: ["plan"] },
  { typed: ["plan", "help", "a"], offers: ["audit"] },
  { typed: ["--project", "x", "plan", "audit", "--e"], offers: ["--epic"] },
])("bash completes $typed", async ({ typed, offers }) => {
  expect((await offered(...typed)).sort()).toEqual([...offers].sort());
});

test("fish gets a line for every command and option, with its description", async () => {
  const lines = (await koryph(tempFolder(), "completion", "fish")).stdout.trim().split("\n");
  expect(lines).toContainEqual(expect.stringMatching(/seen_subcommand_from run' -l dry-run -d 'show what/));
  expect(lines.filter((line) => !/^complete -c koryph -n '[^']+' .* -d '.+'$/.test(line))).toEqual([]);
});
