import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RangeContent } from "../../../../src/core/land/content/range-content.js";
import { commit, git } from "../../../support/engine/clone-world.js";
import { LandingWorld } from "../../../support/landing/landing-world.js";

/** What the commits that `work` makes in a bead's clone hold beside text; the clone begins with `before`. */
async function content(
  work: (clone: string) => void,
  before?: Record<string, string>,
): Promise<RangeContent> {
  const world = await LandingWorld.open();
  if (before !== undefined) await world.moveBase(before);
  const landing = world.landing();
  await landing.fetchBase();
  const clone = await world.ready("b-1");
  work(clone);
  const candidate = await landing.candidate("b-1");
  if (candidate === null) throw new Error("no candidate");
  return (await landing.range(candidate)).content;
}

test("what can be run, where links lead and what is large is told, also when a later commit takes it back", async () => {
  const found = await content((clone) => {
    mkdirSync(join(clone, "bin"));
    writeFileSync(join(clone, "bin/run"), "#!/bin/sh\n");
    chmodSync(join(clone, "bin/run"), 0o755);
    symlinkSync("../../elsewhere", join(clone, "bin/link"));
    writeFileSync(join(clone, "big.bin"), Buffer.alloc(1_500_000));
    commit(clone, "feat: one", {});
    git(clone, "rm", "--quiet", "-r", "bin", "big.bin");
    commit(clone, "feat: two", { "a.txt": "one \u202e two\n", "b.txt": "plain\n" });
  });
  expect(found).toEqual({
    added: ["a.txt", "b.txt", "big.bin", "bin/link", "bin/run"],
    colliding: [],
    executable: ["bin/run"],
    links: [{ path: "bin/link", target: "../../elsewhere" }],
    attributes: [],
    large: [{ path: "big.bin", bytes: 1_500_000 }],
    bidi: ["a.txt"],
    files: 5,
  });
});

test("a driver counts where its line is new, in whatever folder", async () => {
  const before = { ".gitattributes": "*.png filter=lfs -text\n", "sub/.gitattributes": "*.md text\n" };
  const kept = await content((clone) => {
    commit(clone, "feat: one", { ".gitattributes": "*.png filter=lfs -text\n*.md text\n" });
  }, before);
  expect(kept.attributes).toEqual([{ path: ".gitattributes", drivers: false }]);
  const more = await content((clone) => {
    commit(clone, "feat: one", { "sub/.gitattributes": "*.md text\n*.c\tdiff=mine\n" });
    git(clone, "rm", "--quiet", ".gitattributes");
    commit(clone, "feat: two", {});
  }, before);
  expect(more.attributes).toEqual([
    { path: ".gitattributes", drivers: false },
    { path: "sub/.gitattributes", drivers: true },
  ]);
});

test("an added name is compared with all that is beside it on the branch", async () => {
  const before = { "src/Readme.md": "x\n", "docs/a.md": "x\n" };
  const found = await content((clone) => {
    const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: clone, input: "y\n" });
    for (const path of ["src/README.md", "Docs/b.md", "src/other.md"])
      git(clone, "update-index", "--add", "--cacheinfo", `100644,${blob.toString().trim()},${path}`);
    git(clone, "-c", "user.name=a", "-c", "user.email=a@x", "commit", "--quiet", "-m", "feat: one");
  }, before);
  expect(found.colliding).toEqual([
    { path: "Docs", other: "docs" },
    { path: "src/README.md", other: "src/Readme.md" },
  ]);
});
