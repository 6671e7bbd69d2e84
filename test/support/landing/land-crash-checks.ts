import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { git } from "../cli/project.js";
import type { LedgerLine } from "../engine/engine-lab.js";
import { processesOf } from "../engine/engine-processes.js";
import type { LandCrashLab } from "./land-crash.js";
import { expectLanded, expectQuiet, home, mainTip, receiptsOf, subjects, told } from "./land-lab.js";

const LEDGER = "refs/koryph/ledger";

/**
 * Every bead is on the default branch, once and as it was checked, with one receipt, and nothing is left lying or
 * running. Returns what the ledger has.
 */
export async function expectAllLanded(crashed: LandCrashLab): Promise<LedgerLine[]> {
  const { lab, world, start, commits } = crashed;
  await expectNothingLeft(crashed);
  const log = await lab.log();
  const gated = readFileSync(join(lab.top, "gated"), "utf8").split("\n");
  const heads = Object.keys(commits).map((bead) => expectLanded(lab, log, bead));
  for (const head of heads) expect(gated).toContain(head);
  for (const bead of Object.keys(commits)) {
    const [data] = told(log, bead, "land.landed");
    expect(receiptsOf(lab, bead), bead).toEqual([data?.receipt]);
  }
  expect(heads).toContain(mainTip(lab));

  const landed = Object.values(commits).flatMap((all) => (world === "squashed" ? all.slice(0, 1) : all));
  expect(subjects(lab, `${start}..main`).toSorted()).toEqual([...landed, "fix: by a colleague"].toSorted());
  expect(git(home(lab), "rev-list", "--merges", "main")).toBe("");
  if (world === "signed") expectSigned(crashed);

  expect(git(lab.root, "status", "--porcelain")).toBe("");
  expect(git(lab.root, "rev-parse", "HEAD").trim()).toBe(world === "signed" ? start : mainTip(lab));
  const copy = join(lab.projectHome, "ledger.git");
  expect(git(home(lab), "rev-parse", LEDGER)).toBe(git(copy, "rev-parse", LEDGER));
  return log;
}

/** No process, clone or checkout, and no ref but the branch, the ledger and the receipts. */
async function expectNothingLeft({ lab, keys }: LandCrashLab): Promise<void> {
  await expectQuiet(lab);
  expect(processesOf(keys)).toEqual([]);
  for (const folder of ["clones", "kept", "checks/.making", "checks/.trash"])
    expect(lab.names(folder), folder).toEqual([]);
  const refs = git(home(lab), "for-each-ref", "--format=%(refname)").trimEnd().split("\n");
  expect(refs).toEqual(["refs/heads/main", LEDGER, "refs/koryph/receipts"]);
}

/** What is not by the colleague bears a signature that the base's own list of signers calls good. */
function expectSigned({ lab, start }: LandCrashLab): void {
  const signers = `gpg.ssh.allowedSignersFile=${join(lab.root, ".allowed_signers")}`;
  const text = git(home(lab), "-c", signers, "log", "--format=%G? %s", `${start}..main`);
  const bad = text
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("G ") && !line.endsWith("by a colleague"));
  expect(bad).toEqual([]);
}
