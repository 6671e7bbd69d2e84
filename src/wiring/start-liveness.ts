import { utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../adapters/home/koryph-home.js";

export interface Liveness {
  readonly file: string;
  /** An agent whose starter has not touched the file for so long ends itself. */
  readonly seconds: number;
  end(): void;
}

const SECONDS = 60;
const BEAT_MS = 5_000;

/**
 * Shows the agents that this process starts that it lives, until `end`. Whoever only waits for an agent must be kept
 * alive by it, since nothing else does; a server is kept by what it listens on.
 */
export async function startLiveness(file: string, keeps: "process" | "nothing"): Promise<Liveness> {
  await makeFolder(dirname(file));
  await writeFile(file, "", { mode: 0o600 });
  const touch = () => utimes(file, new Date(), new Date()).catch(() => {});
  await touch();
  const beating = setInterval(() => void touch(), BEAT_MS);
  if (keeps === "nothing") beating.unref();
  return { file, seconds: SECONDS, end: () => clearInterval(beating) };
}
