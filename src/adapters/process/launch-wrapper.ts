import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessIdentity } from "../../core/model/process-identity.js";
import type { ProcessSpec } from "../../ports/agent-processes.js";
import { writeAtomically } from "../files/write-atomically.js";
import { LOST, readIdentity, SLOT_FILES } from "./slot-files.js";
import { asideName, installWrapper, RESERVED_PREFIX, SET_ASIDE, type SETTINGS } from "./wrapper.js";

export interface WrapperTimes {
  /** Between the signals with which the wrapper itself ends an agent. */
  readonly graceSeconds: number;
  /** The longest pause between two looks at the engine's liveness. */
  readonly tickSeconds: number;
}

export interface Launched {
  readonly identity: ProcessIdentity;
  /** Null when another wrapper was first in this folder. */
  readonly child: ChildProcess | null;
}

/** How long a wrapper may take to sign in. A loaded machine needs tens of milliseconds. */
const SIGN_IN_MS = 30_000;

/** Starts a wrapper, which signs in by itself: if we die here, whoever looks next finds its identity. */
export async function launchWrapper(spec: ProcessSpec, times: WrapperTimes): Promise<Launched> {
  refuseWhatNoShellCarries(spec);
  await mkdir(spec.folder, { recursive: true, mode: 0o700 });
  await writeAtomically(join(spec.folder, SLOT_FILES.spec), specText(spec));
  const wrapper = await installWrapper(spec.folder);
  const claim = join(spec.folder, `${SLOT_FILES.identity}.${randomUUID()}.tmp`);
  const child = spawn("/bin/sh", [wrapper, "run", ...spec.argv], {
    cwd: spec.folder,
    env: wrapperEnvironment(spec, claim, times),
    detached: true,
    stdio: "ignore",
  });
  child.unref();
  try {
    const identity = await signedIn(spec.folder, child);
    return { identity, child: identity.pid === child.pid ? child : null };
  } finally {
    await rm(claim, { force: true });
  }
}

async function signedIn(folder: string, child: ChildProcess): Promise<ProcessIdentity> {
  let failure: Error | null = null;
  let gone = false;
  child.once("error", (error) => {
    failure = error;
    gone = true;
  });
  child.once("exit", () => {
    gone = true;
  });
  const deadline = performance.now() + SIGN_IN_MS;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const wasGone = gone;
    const reading = readIdentity(folder);
    if (reading.kind === "known") return reading.identity;
    if (reading.kind === "unreadable") return LOST;
    if (wasGone)
      throw new Error(`the wrapper in ${folder} ended before it started an agent`, { cause: failure });
    if (performance.now() > deadline) throw new Error(`the wrapper in ${folder} has not signed in`);
    await delay(pauseMs);
  }
}

/** The agent's own variables, except those a shell would change: they travel under another name. */
function wrapperEnvironment(spec: ProcessSpec, claim: string, times: WrapperTimes): Record<string, string> {
  const { PATH: own = "" } = process.env;
  const settings: Record<(typeof SETTINGS)[number], string> = {
    koryph_folder: spec.folder,
    koryph_claim: claim,
    koryph_cwd: resolve(spec.cwd),
    koryph_stdin: resolve(spec.stdin),
    koryph_liveness: resolve(spec.livenessFile),
    koryph_wall: wholeSeconds(spec.wallSeconds),
    koryph_lease: wholeSeconds(spec.leaseSeconds),
    // Often enough to notice within a quarter of the lease, seldom enough to cost nothing.
    koryph_tick: wholeSeconds(Math.min(times.tickSeconds, spec.leaseSeconds / 4)),
    koryph_grace: String(times.graceSeconds),
  };
  const env: Record<string, string> = { ...spec.env, ...settings };
  for (const name of SET_ASIDE) {
    delete env[name];
    const value = spec.env[name];
    if (value !== undefined) env[asideName(name)] = value;
  }
  // The wrapper's own tools; an agent's PATH may lead anywhere.
  env.PATH = own === "" ? "/usr/bin:/bin" : `/usr/bin:/bin:${own}`;
  return env;
}

/** Without the values of the environment: keys and tokens have no business on the disk. */
function specText({ env, ...rest }: ProcessSpec): string {
  return `${JSON.stringify({ ...rest, env: Object.keys(env).sort() }, null, 2)}\n`;
}

function wholeSeconds(seconds: number): string {
  return String(Math.min(Math.max(1, Math.ceil(seconds)), 2 ** 31 - 1));
}

function refuseWhatNoShellCarries({ argv, env, marker, folder }: ProcessSpec): void {
  const [command] = argv;
  if (command === undefined || command === "" || command.startsWith("-"))
    throw new Error(`an agent's command cannot be ${JSON.stringify(command ?? null)} (${folder})`);
  if (!command.includes("/") && !env.PATH)
    throw new Error(`without a PATH the agent's command must be a path: ${command} (${folder})`);
  const unfit = Object.keys(env).filter(
    (name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith(RESERVED_PREFIX),
  );
  if (unfit.length > 0) throw new Error(`no names for an agent's variables: ${unfit.join(", ")} (${folder})`);
  if (env.KORYPH_SLOT !== marker || !/^[^\0\n]+$/.test(marker))
    throw new Error(`KORYPH_SLOT must be the marker, one line and not empty (${folder})`);
}
