import type { Dirent } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseBeadId } from "../../core/model/bead.js";
import { removeFolder } from "../files/remove-folder.js";
import { keepSpending } from "../usage/keep-spending.js";
import type { KoryphHome } from "./koryph-home.js";

interface StoredFile {
  readonly path: string;
  /** When it, or anything right below it, last changed, in ms. */
  readonly changedAt: number;
}

/** Names that only a process leaves behind that was cut short: tickets of locks, probes, drafts. */
const CUT_SHORT = [/\.lock\.[0-9a-f]{16,64}$/, /^\.probe-[0-9a-f]+$/, /^\.ledger\.git-.{6}$/, /\.making$/];

/** What a project keeps on this machine besides its repositories and clones. */
export class StoredFiles {
  readonly #home: KoryphHome;
  readonly #project: string;

  constructor(home: KoryphHome, project: string) {
    this.#home = home;
    this.#project = project;
  }

  /** Beads whose agents have a home here. */
  async homes(): Promise<string[]> {
    const folders = ["homes", "key-homes"].map((name) => join(this.#home.projectHome(this.#project), name));
    const found = (await Promise.all(folders.map(entries))).flat();
    return [...new Set(found.filter((entry) => entry.isDirectory()).map(({ name }) => name))];
  }

  /** Beads with a clone here. */
  async clones(): Promise<string[]> {
    const folder = join(this.#home.projectHome(this.#project), "clones");
    return (await entries(folder)).map(({ name }) => name).filter((name) => parseBeadId(name) !== null);
  }

  async runs(): Promise<{ run: string; changedAt: number }[]> {
    const folder = this.#home.runsFolder(this.#project);
    const found = (await entries(folder)).filter((entry) => entry.isDirectory());
    return Promise.all(
      found.map(async ({ name }) => ({ run: name, changedAt: await newest(join(folder, name), 3) })),
    );
  }

  async leftovers(): Promise<StoredFile[]> {
    const project = this.#home.projectHome(this.#project);
    const passing = ["trash", "scratch", "making", "spare", "checks", "gates"].map((name) =>
      join(project, name),
    );
    const paths = [
      ...(await Promise.all(passing.map(below))).flat(),
      ...(await below(project)).filter(isCutShort),
      ...(await below(this.#home.path)).filter(isCutShort),
    ];
    return Promise.all(paths.map(async (path) => ({ path, changedAt: await newest(path, 1) })));
  }

  homeOf(bead: string): string {
    return this.#home.agentHome(this.#project, bead);
  }

  runFolder(run: string): string {
    return join(this.#home.runsFolder(this.#project), run);
  }

  async removeHome(bead: string): Promise<void> {
    await keepSpending(this.#home, this.homeOf(bead));
    await removeFolder(this.homeOf(bead));
    await removeFolder(this.#home.keyHome(this.#project, bead));
  }

  removeRun(run: string): Promise<void> {
    return removeFolder(this.runFolder(run));
  }

  async removeLeftover(path: string): Promise<void> {
    if ((await stat(path).catch(() => null))?.isDirectory()) await removeFolder(path);
    else await rm(path, { force: true });
  }
}

function isCutShort(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return CUT_SHORT.some((shape) => shape.test(name));
}

async function below(folder: string): Promise<string[]> {
  return (await entries(folder)).map(({ name }) => join(folder, name));
}

async function entries(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

/** A folder's own time says nothing about what changed inside its folders. */
async function newest(path: string, depth: number): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (found === null) return Date.now();
  if (!found.isDirectory() || depth === 0) return found.mtimeMs;
  const inside = await Promise.all((await below(path)).map((child) => newest(child, depth - 1)));
  return Math.max(found.mtimeMs, ...inside);
}
