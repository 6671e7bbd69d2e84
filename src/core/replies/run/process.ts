import type { Advice } from "../../../lib/user-error.js";

export const processAdvice = {
  needsLinux: (platform: string): Advice => ({
    message: `running agents needs Linux, and this is ${platform}`,
    hint: "run koryph on a Linux machine, container or runner; commands that only read work here too",
  }),
  unwritable: (folder: string, problem: string): Advice => ({
    message: `the agent was not started: ${folder} cannot be written: ${problem}`,
    hint: "free disk space or mend the permissions, then run again with --resume",
  }),
};
