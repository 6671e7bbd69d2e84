import { Bubblewrap } from "../../src/adapters/contain/bubblewrap.js";

/** What shuts processes in on this machine; null, and a word why, where nothing does. */
export async function containmentHere(): Promise<Bubblewrap | null> {
  const bubblewrap = new Bubblewrap(process.env.PATH);
  const probe = await bubblewrap.probe();
  if (probe.reached === "namespaces") return bubblewrap;
  process.stdout.write(
    `LAYER MISSING: no containment on this machine, so its tests do not run: ${probe.why}\n`,
  );
  return null;
}
