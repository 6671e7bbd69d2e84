// Makes a release of the Action:
//   node .ci/release.mjs bundle [<folder>]   the Action with all that it needs, in <folder> (dist unless told)
//   node .ci/release.mjs notes [<version>]   what changed since the last release, from the commits
// A release's `dist` lies on its tag alone, and `uses:` starts it without installing anything.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Everything but Node's own modules is in it. Built from `dist`, which has to be there. */
async function bundle(folder) {
  const { rolldown } = await import("rolldown");
  const beside = `${folder}.${process.pid}`;
  const made = await rolldown({
    input: { "action/main": join(root, "dist/action/main.js") },
    platform: "node",
    external: /^node:/,
    // Octokit's throttling has a way to share its counts by Redis, which it looks for by eval. koryph never asks for it.
    checks: { eval: false },
  });
  await made.write({ dir: beside, format: "esm", chunkFileNames: "chunks/[name]-[hash].js" });
  await made.close();
  const { bundlePrograms } = await import("./bundle-programs.mjs");
  await bundlePrograms(join(root, "dist"), beside);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(beside, ".release"), `${version}\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, ".."), { recursive: true });
  renameSync(beside, folder);
}

const SECTIONS = [
  ["feat", "New"],
  ["fix", "Fixed"],
  ["perf", "Faster"],
];
const SUBJECT = /^(?<type>[a-z]+)(?:\((?<scope>[^)]*)\))?(?<breaks>!)?: (?<text>.+)$/;

/** Commits since the last tag of a release, by what they do; the rest is of no concern to people who use koryph. */
function notes(version) {
  const last = git("tag", "--list", "v*", "--sort=-creatordate").split("\n")[0] ?? "";
  // A release's tag is one commit beside the branch; what it was made from is its parent.
  const since = last === "" ? "HEAD" : `${last}^..HEAD`;
  const log = git("log", "--no-merges", "--format=%h%x09%s", since);
  const commits = log.split("\n").flatMap((line) => {
    const [sha, subject = ""] = line.split("\t");
    const found = SUBJECT.exec(subject)?.groups;
    return found === undefined ? [] : [{ ...found, sha }];
  });
  const row = ({ scope, text, sha }) => `- ${scope === undefined ? "" : `**${scope}**: `}${text} (${sha})`;
  const section = (heading, chosen) =>
    chosen.length === 0 ? [] : [`## ${heading}`, "", ...chosen.map(row), ""];
  return [
    `# ${version}`,
    "",
    ...section(
      "Breaking",
      commits.filter(({ breaks }) => breaks !== undefined),
    ),
    ...SECTIONS.flatMap(([type, heading]) =>
      section(
        heading,
        commits.filter((commit) => commit.type === type && commit.breaks === undefined),
      ),
    ),
  ].join("\n");
}

function git(...args) {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 28 }).trim();
}

const [command, given] = process.argv.slice(2);
switch (command) {
  case "bundle":
    await bundle(given ?? join(root, "dist"));
    break;
  case "notes":
    process.stdout.write(`${notes(given ?? "Unreleased")}\n`);
    break;
  default:
    process.stderr.write("release: takes bundle or notes\n");
    process.exitCode = 2;
}
