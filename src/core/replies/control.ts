import type { Advice } from "../../lib/user-error.js";

export const controlAdvice = {
  stopWhat: (): Advice => ({
    message: "stop takes one bead, or --all",
    hint: "`koryph status` lists the beads that are at work",
  }),
  resizeWhat: (): Advice => ({
    message: "resize takes --max <n> or --clear",
    hint: "for example: koryph resize --max 2",
  }),
  tooWide: (max: number, ceiling: number): Advice => ({
    message: `${max} is above max_concurrent_slots, which is ${ceiling}`,
    hint: "choose a smaller width, or add --force",
  }),
  noSlot: (bead: string): Advice => ({
    message: `no run knows of ${bead}`,
    hint: "`koryph status` lists the beads that runs have taken",
  }),
  noOutput: (bead: string): Advice => ({
    message: `no output of ${bead} is on this machine`,
    hint: "its agent has not started yet, or it works on another machine",
  }),
  notBlocked: (bead: string, status: string): Advice => ({
    message: `${bead} is ${status}, not blocked`,
    hint: "only a blocked bead needs a retry",
  }),
  noProjects: (): Advice => ({
    message: "no project is registered on this machine",
    hint: "a project's first run registers it, or use `koryph project add`",
  }),
};
