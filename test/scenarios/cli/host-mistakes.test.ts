import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { koryph, koryphWith } from "../../support/cli/koryph.js";
import { koryphAsNobody, whyNotNobody } from "../../support/cli/koryph-as-nobody.js";
import { project } from "../../support/cli/project.js";
import { LONG, longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const MAIN = join(ROOT, "dist/cli/main.js");

function inDeletedFolder(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", process.execPath, MAIN, ...args],
    { cwd: tempFolder(), encoding: "utf8", env: { PATH: process.env.PATH } },
  );
  return { code: status, stdout, stderr };
}

/** In a folder of its own below the one that only its owner may enter. */
function outsideGit(config: object = {}): string {
  const root = tempFolder();
  chmodSync(root, 0o755);
  mkdirSync(join(root, ".koryph"));
  const base = { schema_version: 1, project_id: "p", work_source: "file", gate: ["true"], area_map: {} };
  writeFileSync(join(root, "koryph.project.json"), JSON.stringify({ ...base, ...config }));
  writeFileSync(join(root, ".koryph/beads.jsonl"), "");
  return root;
}

interface Mistake {
  readonly name: string;
  readonly run: () => { code: number | null; stdout: string; stderr: string };
  readonly says: string | RegExp;
  readonly asNobody?: true;
}

const MISTAKES: readonly Mistake[] = [
  {
    name: "a work file nobody may read",
    run: () => {
      const root = outsideGit();
      chmodSync(join(root, ".koryph/beads.jsonl"), 0o000);
      return koryphAsNobody(root, "plan", "audit");
    },
    asNobody: true,
    says: "beads.jsonl cannot be read: EACCES",
  },
  {
    name: "a folder in the work file's place",
    run: () => {
      const root = project();
      mkdirSync(join(root, ".koryph/beads.jsonl"), { recursive: true });
      return koryph(root, "plan", "audit");
    },
    says: "beads.jsonl is not a regular file",
  },
  {
    name: "a folder in the project file's place",
    run: () => {
      const root = tempFolder();
      mkdirSync(join(root, "koryph.project.json"));
      return koryph(root, "validate");
    },
    says: "koryph.project.json cannot be read: it is not a regular file",
  },
  {
    name: "a pipe in the project file's place",
    run: () => {
      const root = tempFolder();
      chmodSync(root, 0o755);
      execFileSync("sh", ["-c", 'mkfifo -m 644 "$0"', join(root, "koryph.project.json")]);
      return koryphAsNobody(root, "validate");
    },
    asNobody: true,
    says: "koryph.project.json cannot be read: it is not a regular file",
  },
  {
    name: "a project file that is a dead link",
    run: () => {
      const root = tempFolder();
      symlinkSync("nowhere", join(root, "koryph.project.json"));
      return koryph(root, "validate");
    },
    says: "koryph.project.json is a link that leads nowhere",
  },
  {
    name: "--project with a folder that does not exist, below a project",
    run: () => koryph(project(), "--project", "misspelt", "validate"),
    says: /misspelt does not exist/,
  },
  {
    name: "--project with a file",
    run: () => koryph(project(), "--project", "koryph.project.json", "validate"),
    says: "koryph.project.json is not a folder",
  },
  {
    name: "--project with a file for init",
    run: () => koryph(project(), "--project", "koryph.project.json", "init"),
    says: "koryph.project.json is not a folder",
  },
  { name: "a folder that was deleted", run: () => inDeletedFolder("validate"), says: "no longer exists" },
  {
    name: "a folder that was deleted, for init",
    run: () => inDeletedFolder("init"),
    says: "no longer exists",
  },
  {
    name: "a relative --project in a folder that was deleted",
    run: () => inDeletedFolder("--project", "x", "validate"),
    says: "no longer exists",
  },
  {
    name: "a bd that cannot be run",
    run: () => {
      const root = project({ config: { work_source: "bd" } });
      writeFileSync(join(root, "bd"), "not a program");
      return koryphWith({ PATH: `${root}:${process.env.PATH}` }, root, "plan", "audit");
    },
    says: "bd",
  },
];

/** Each is a process; the short form has every third. */
test.for(MISTAKES.filter((_, at) => LONG || at % 3 === 0))(
  "$name is a clear sentence and exit 1",
  ({ run, says, asNobody }, { skip }) => {
    const why = asNobody ? whyNotNobody() : null;
    if (why !== null) return skip(why);
    const { code, stdout, stderr } = run();
    expect(stderr).toMatch(says);
    expect(stderr).toContain("\n  next: ");
    expect(stderr).not.toMatch(/\n\s+at |fault in koryph/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  },
);

longTest("--project works from a folder that was deleted, when its path is complete", () => {
  expect(inDeletedFolder("--project", project(), "validate")).toMatchObject({ code: 0, stderr: "" });
});

longTest("a hint that names a page of the documentation says where it lies", () => {
  const { stderr } = koryph(project({ config: { gate: [] } }), "validate");
  expect(stderr).toContain(`  next: ${join(ROOT, "docs/configuration.md")} lists every key`);
});

test.each([{ schema_version: 2 }, { engine_version: "99+" }])(
  "a project file %j for a newer koryph says how to get one without naming a package",
  (config) => {
    const { stderr } = koryph(project({ config }), "validate");
    expect(stderr).toContain("next: pull a newer koryph and run `npm run build` in its folder");
    expect(stderr).not.toContain("@latest");
  },
);
