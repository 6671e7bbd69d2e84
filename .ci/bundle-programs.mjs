// Programs that koryph starts beside agents: each is one file by itself, without anything that it has no use for.
import { join } from "node:path";
import { rolldown } from "rolldown";

const PROGRAMS = [
  // Started for every tool call of an agent.
  "guard/main",
  // The two ends of the way from a contained agent to its hosts; of koryph's files it sees the inner one alone.
  ...["adapters/contain/bridge/outside", "adapters/contain/bridge/inside"],
];

/** From the modules in one folder to the files in another, which may be the same. */
export async function bundlePrograms(from, to) {
  for (const program of PROGRAMS) {
    const alone = await rolldown({
      input: join(from, `${program}.js`),
      platform: "node",
      external: /^node:/,
    });
    await alone.write({ file: join(to, `${program}.js`), format: "esm", codeSplitting: false });
    await alone.close();
  }
}
