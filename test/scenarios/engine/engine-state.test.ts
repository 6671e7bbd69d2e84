import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { LONG, longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** A command with its home on a filesystem mounted so. Null where the system lets nobody mount. */
function runMounted(lab: EngineLab, mounted: string, command = "run") {
  if (spawnSync("unshare", ["-rm", "true"]).status !== 0) return null;
  mkdirSync(lab.home, { recursive: true });
  return spawnSync(
    "unshare",
    ["-rm", "sh", "-c", `${mounted} && exec "$2" "$3" ${command}`, "sh", lab.home, process.execPath, MAIN],
    { cwd: lab.root, env: lab.environment, encoding: "utf8" },
  );
}

test.for([
  { name: "a full disk", mounted: 'mount -t tmpfs -o size=16k none "$1"', says: "the disk is full" },
  {
    name: "a disk that fills up while the run begins",
    mounted: 'mount -t tmpfs -o size=100k none "$1"',
    says: "the disk is full|look for a full disk|couldn't write",
  },
  { name: "a read-only disk", mounted: 'mount -t tmpfs -o ro none "$1"', says: "EROFS" },
])("$name is a clear fatal error before any agent starts", ({ mounted, says }, { skip }) => {
  const lab = new EngineLab({ agents: { a: commitOnce } });
  const result = runMounted(lab, mounted);
  if (result === null) return skip("this system lets nobody mount");
  expect(result.status, result.stdout).toBe(1);
  expect(result.stderr).toMatch(new RegExp(says));
  expect(result.stderr).not.toMatch(/fault in koryph|\n\s+at /);
  expect(lab.starts("a")).toEqual([]);
  expect(lab.workLines()[0]?.status).toBe("open");
  expect(readdirSync(lab.home)).toEqual([]);
});

test.for(
  [
    { name: "full", spoil: 'head -c 9000000 /dev/zero >"$1/filler" 2>/dev/null;' },
    { name: "read-only", spoil: 'mount -o remount,ro "$1";' },
  ].slice(0, LONG ? 2 : 1),
)("on a disk that is $name one can still look", async ({ spoil }, { skip }) => {
  const lab = new EngineLab({ agents: { a: commitOnce } });
  expect((await lab.koryph("run")).code).toBe(4);
  const copy = join(lab.top, "copy");
  cpSync(lab.home, copy, { recursive: true });
  const mounted = `mount -t tmpfs -o size=8m none "$1" && cp -a ${copy}/. "$1" && ${spoil} true`;
  for (const verb of ["status", "log", "tail a"]) {
    const result = runMounted(lab, mounted, verb);
    if (result === null) return skip("this system lets nobody mount");
    expect(result, verb).toMatchObject({ status: 0, stderr: "" });
  }
});

longTest("a work file that makes no sense for a while ends no agent", async () => {
  const lab = new EngineLab({
    agents: { a: `mark a\nawait a\n${commitOnce}`, b: `mark b\nawait b\n${commitOnce}` },
  });
  const engine = lab.begin("run");
  await Promise.all([lab.marked("a"), lab.marked("b")]);
  const text = readFileSync(lab.workFile);
  writeFileSync(lab.workFile, '{"id": "a", "title');
  await engine.says("trouble: ");
  writeFileSync(lab.workFile, text);
  lab.allow("a");
  lab.allow("b");
  expect((await engine.ended).code, engine.said()).toBe(4);
  for (const bead of lab.beads) expect(lab.starts(bead)).toHaveLength(1);
});
