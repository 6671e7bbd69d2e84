import { chdir, cwd, env } from "node:process";
import { afterAll } from "vitest";
import { takeCpuSeconds } from "./cpu-seconds.js";
import { endFile } from "./file-end.js";

declare module "vitest" {
  interface TaskMeta {
    cpuSeconds?: number;
  }
}

// Run for every file of tests, also where they share a process: the next one finds what this one found.
const [folder, variables] = [cwd(), { ...env }];

// biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern here
afterAll(async ({}, { file }) => {
  await endFile();
  chdir(folder);
  for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
  Object.assign(env, variables);
  file.meta.cpuSeconds = takeCpuSeconds();
});
