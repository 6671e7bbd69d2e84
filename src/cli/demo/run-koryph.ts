import { packagePath } from "../../adapters/project/package-path.js";
import type { DemoPlace } from "./demo-repository.js";

const MAIN = packagePath("dist/cli/main.js");

export interface DemoCommand {
  readonly args: readonly string[];
  /** Something was printed. */
  readonly onLine?: (kill: () => void) => void;
  /** Kills it, and what it started and not sent off by itself. */
  readonly signal: AbortSignal;
}

export interface DemoCommandEnd {
  /** Null for one that was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a process of its own, as an operator would. */
export async function runKoryph(
  place: DemoPlace,
  { args, onLine, signal }: DemoCommand,
): Promise<DemoCommandEnd> {
  signal.throwIfAborted();
  const { execa } = await import("execa");
  const koryph = execa(process.execPath, [MAIN, "--project", place.repository, ...args], {
    // What a koryph that is killed leaves in the folder for temporary files goes with the demo's own.
    env: { KORYPH_HOME: place.home, KORYPH_BACKOFF_SEC: "1", TMPDIR: place.top },
    stdin: "ignore",
    all: true,
    reject: false,
    // A group of its own: the keyboard's interrupt is the demo's affair, and one signal reaches its git commands too.
    detached: true,
    cleanup: true,
  });
  const kill = () => {
    try {
      if (koryph.pid !== undefined) process.kill(-koryph.pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  };
  signal.addEventListener("abort", kill, { once: true });
  try {
    for await (const _ of koryph.iterable({ from: "all" })) onLine?.(kill);
    const { exitCode = null, stdout, stderr } = await koryph;
    signal.throwIfAborted();
    return { code: exitCode, stdout, stderr };
  } finally {
    signal.removeEventListener("abort", kill);
  }
}
