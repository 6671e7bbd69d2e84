import { packagePath } from "../../adapters/project/package-path.js";
import type { DemoPlace } from "./demo-repository.js";

const MAIN = packagePath("dist/cli/main.js");

/** Runs the command line as a process of its own, line by line, as the operator would see it; its exit code. */
export async function runKoryph(
  place: DemoPlace,
  args: readonly string[],
  onLine: (line: string, kill: () => void) => void,
): Promise<number | null> {
  const { execa } = await import("execa");
  const koryph = execa(process.execPath, [MAIN, "--project", place.repository, ...args], {
    env: { KORYPH_HOME: place.home, KORYPH_BACKOFF_SEC: "1" },
    stdin: "ignore",
    all: true,
    buffer: false,
    reject: false,
  });
  for await (const line of koryph.iterable({ from: "all" })) onLine(line, () => koryph.kill("SIGKILL"));
  return (await koryph).exitCode ?? null;
}
