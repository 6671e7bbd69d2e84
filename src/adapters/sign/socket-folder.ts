import { lstat, mkdtemp, readdir } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../files/remove-folder.js";
import { makeFolder } from "../home/koryph-home.js";

const PREFIX = "koryph-s-";
/** `/koryph-s-123456/agent`, the longer of the two names below. */
const NAME_BYTES = 22;
/** The system takes 108 bytes, others 104, with the zero at the end. */
const MOST_BYTES = 100;
/** By then whoever made a folder listens in it. */
const NEW_MS = 60_000;

export interface SocketFolder {
  readonly folder: string;
  /** Where git asks. */
  readonly sign: string;
  /** Where the agent with the key answers. */
  readonly agent: string;
}

/** A new folder for sockets, for the owner alone: in `parent` where that is not too long, else with temporary files. */
export async function makeSocketFolder(parent: string): Promise<SocketFolder> {
  const [place = "/tmp"] = [parent, tmpdir()].filter(
    (path) => Buffer.byteLength(path) + NAME_BYTES <= MOST_BYTES,
  );
  if (place === parent) await makeFolder(place);
  await removeDead(place);
  const folder = await mkdtemp(join(place, PREFIX));
  return { folder, ...names(folder) };
}

function names(folder: string): { sign: string; agent: string } {
  return { sign: join(folder, "sign"), agent: join(folder, "agent") };
}

/** Folders that a killed process left. In `/tmp` some may be other people's, which do not let us in. */
async function removeDead(place: string): Promise<void> {
  const found = (await readdir(place)).filter((name) => name.startsWith(PREFIX));
  for (const name of found) {
    const folder = join(place, name);
    const entry = await lstat(folder).catch(() => null);
    if (entry === null || !entry.isDirectory() || entry.uid !== process.getuid?.()) continue;
    if (Date.now() - entry.mtimeMs < NEW_MS) continue;
    const { sign, agent } = names(folder);
    if (!(await answers(sign)) && !(await answers(agent))) await removeFolder(folder);
  }
}

/** True unless it is certain that nobody listens. */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    connection.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT"),
    );
  });
}
