import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { git } from "../cli/project.js";
import { type CrashPoint, expectKilled, recover } from "../engine/engine-crash.js";
import { type EngineLab, WAIT } from "../engine/engine-lab.js";
import { sshKey } from "../git/ssh-keys.js";
import { tempFolder } from "../temp-folder.js";
import { CLEAN } from "./land-agents.js";
import { landLab } from "./land-lab.js";

const RUNNER = fileURLToPath(new URL("./land-crash-runner.mjs", import.meta.url));

/**
 * `signed`: a bare remote, every commit signed. `checkout`: no remote, so what lands moves the operator's own
 * checkout. `squashed`: the same, with one commit for each bead.
 */
export type LandWorld = "signed" | "checkout" | "squashed";

export interface LandCrashLab {
  readonly lab: EngineLab;
  readonly world: LandWorld;
  /** Where the operator's checkout stood before anything landed. */
  readonly start: string;
  /** The folder with the engine's key. */
  readonly keys: string;
  /** Subjects of the commits that are to land, by bead. */
  readonly commits: Readonly<Record<string, readonly string[]>>;
}

/** Whoever is told that the gate was red takes the offending file away; whoever is not puts it there. */
const MENDING = `if grep -q 'ended with exit code' "$KORYPH_AGENT_DIR/prompt"; then
  [ ! -e red ] || { git rm --quiet red && git commit --quiet -m 'fix: mended'; } || exit 9
else
  commit one
  [ -e red ] || git log --format=%s | grep -q 'fix: mended' || put red for-a-while
fi
`;

/**
 * A gate that writes down what it is asked about. During the first check of this bead, which has passed its stages by
 * then, a colleague moves the default branch: whatever else is at work, its landing has to replay it.
 */
const gateMovedAt = (bead: string) => `top=$1
git rev-parse HEAD >>"$top/gated"
if test -e ${bead}-one && mkdir "$top/moved" 2>/dev/null; then sh "$top/move.sh" || exit 9; fi
sh "$top/pass.sh" gate
test ! -e red
`;

/** Says that somebody has come to the place `$1`, and keeps them while the test holds it. */
const PASS = `top=\${0%/*}
printf '%s\\n' "$$" >>"$top/starts/$1.came"
while [ -e "$top/$1.hold" ]; do sleep 0.05; done
`;

const STAGED = { plain: { work: ["commit one"] }, mended: { work: [MENDING] } };
const STAGED_COMMITS = {
  plain: ["feat: plain one", "feat: plain tidy"],
  mended: ["feat: mended one", "feat: mended puts for-a-while", "feat: mended tidy", "fix: mended"],
};

/** Two beads, or one of them, each with a stage and a review; the gate sends the second one back. */
export function landCrashLab(
  world: LandWorld,
  beads: readonly (keyof typeof STAGED)[] = ["plain", "mended"],
): LandCrashLab {
  const after = { tidy: ["commit tidy"], review: [CLEAN] };
  const agents = Object.fromEntries(beads.map((bead) => [bead, { ...STAGED[bead], ...after }]));
  const commits = Object.fromEntries(beads.map((bead) => [bead, STAGED_COMMITS[bead]]));
  const pipeline = [{ name: "tidy", prompt: "tidy up" }];
  return openLab(world, agents, { pipeline }, commits);
}

/** One bead that waits for a person to land it; a commit was added to it after the engine had accepted it. */
export async function waitingLab(world: LandWorld): Promise<LandCrashLab> {
  const crashed = openLab(world, { plain: "commit one" }, {}, { plain: ["feat: plain one", "fix: later"] });
  const { lab } = crashed;
  const { code, stdout, stderr } = await lab.koryph("run");
  expect({ code, stderr }, stdout).toEqual({ code: 4, stderr: "" });
  // With the clone's own identity, the agent's, so that it is signed like what the agent made.
  const clone = join(lab.projectHome, "clones", "plain");
  writeFileSync(join(clone, "later"), "later\n");
  const env = { PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  execFileSync("git", ["add", "later"], { cwd: clone, env });
  execFileSync("git", ["commit", "--quiet", "-m", "fix: later"], { cwd: clone, env });
  return crashed;
}

function openLab(
  world: LandWorld,
  agents: Parameters<typeof landLab>[0]["agents"],
  config: object,
  commits: LandCrashLab["commits"],
): LandCrashLab {
  const keys = tempFolder();
  const key = sshKey(join(keys, "engine"));
  const signing = { required: true, provider: "file", key_ref: key.path };
  const lab = landLab({
    agents,
    remote: world === "signed",
    files: { ".allowed_signers": `engine@lab namespaces="git" ${key.publicKey}\n` },
    config: (top) => ({
      gate: [`sh ${top}/gate.sh ${top}`],
      ...(world === "signed" ? { signing } : {}),
      ...(world === "squashed" ? { merge_method: "squash" } : {}),
      ...config,
    }),
  });
  const [first = ""] = Object.keys(commits);
  writeFileSync(join(lab.top, "gate.sh"), gateMovedAt(first));
  writeFileSync(join(lab.top, "pass.sh"), PASS);
  const colleague = world === "signed" ? join(lab.top, "colleague") : lab.root;
  if (world === "signed") git(lab.top, "clone", "--quiet", lab.remote, colleague);
  const as = `git -C ${colleague} -c user.name=C -c user.email=c@example.invalid`;
  const move = `${as} commit --quiet --allow-empty -m 'fix: by a colleague'`;
  const push = world === "signed" ? ` && ${as} push --quiet ${lab.remote} HEAD:main` : "";
  writeFileSync(join(lab.top, "move.sh"), `${move}${push}\n`);
  return { lab, world, keys, start: git(lab.root, "rev-parse", "HEAD").trim(), commits };
}

/** What makes an engine of the lab review and land. */
export const LANDING_RUN = { options: { autoMerge: true, review: true } };

/** An engine that reviews and lands, until it kills itself at the point. */
export function crashEngine(crashed: LandCrashLab, point: CrashPoint, resume = false): Promise<void> {
  return expectWholeDeath(crashed, crashed.lab.engine({ ...LANDING_RUN, ...point, resume }));
}

/** `koryph land plain`, until it kills itself at the point. */
export function crashLand(crashed: LandCrashLab, point: CrashPoint): Promise<void> {
  const facts = { ...point, args: ["land", "plain"] };
  return expectWholeDeath(crashed, crashed.lab.launch([RUNNER, JSON.stringify(facts)]));
}

/** Goes on with a run that reviews and lands, to its end. */
export function recoverEngine({ lab }: LandCrashLab): Promise<void> {
  return recover(lab, "--auto-merge", "--review");
}

/** Waits for its death, at which the operator's checkout is whole: untouched, or wholly moved. */
export async function expectWholeDeath(
  { lab }: LandCrashLab,
  running: ReturnType<EngineLab["launch"]>,
): Promise<void> {
  await expectKilled(running);
  // A push that was under way goes on without its engine; what it is at is over in a moment.
  await expect.poll(() => git(lab.root, "--no-optional-locks", "status", "--porcelain"), WAIT).toBe("");
}
