import { utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type KoryphHome, makeFolder } from "../../adapters/home/koryph-home.js";

export interface ServerLiveness {
  readonly file: string;
  /** An agent whose server has not touched the file for so long ends itself. */
  readonly seconds: number;
  end(): void;
}

const SECONDS = 60;
const BEAT_MS = 5_000;

/** Shows the agents of this server that it lives, until `end`. */
export async function startLiveness({ appStore }: KoryphHome): Promise<ServerLiveness> {
  const file = join(await makeFolder(dirname(appStore)), "server.alive");
  await writeFile(file, "", { mode: 0o600 });
  const touch = () => utimes(file, new Date(), new Date()).catch(() => {});
  await touch();
  const beating = setInterval(() => void touch(), BEAT_MS);
  beating.unref();
  return { file, seconds: SECONDS, end: () => clearInterval(beating) };
}
