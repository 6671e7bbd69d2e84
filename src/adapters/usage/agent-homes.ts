import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { KoryphHome } from "../home/koryph-home.js";
import { REVIEWER_HOME } from "../home/run-folders.js";

/** The homes of all agents that this machine has had and still keeps: workers', reviewers', and those of the App's. */
export async function agentHomes(home: KoryphHome): Promise<string[]> {
  const analyses = join(home.path, "app", "analyses");
  const others = (await namesIn(analyses)).map((name) => new KoryphHome(join(analyses, name)));
  return (await Promise.all([home, ...others].map(homesOf))).flat();
}

async function homesOf({ path }: KoryphHome): Promise<string[]> {
  const projects = join(path, "projects");
  const found: string[] = [];
  for (const project of await namesIn(projects)) {
    const workers = join(projects, project, "homes");
    for (const bead of await namesIn(workers)) found.push(join(workers, bead));
    const runs = join(projects, project, "runs");
    for (const run of await namesIn(runs))
      for (const bead of await namesIn(join(runs, run)))
        for (const attempt of await namesIn(join(runs, run, bead)))
          if (/^\d+$/.test(attempt)) found.push(join(runs, run, bead, attempt, REVIEWER_HOME));
  }
  return found;
}

/** Folders only: a link among them is somebody's own, and leads elsewhere. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
