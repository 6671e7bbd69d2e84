import type { Advice } from "../../../lib/user-error.js";

/** When several processes bring one bead to the default branch. */
export const landingRace = {
  announced: (bead: string): Advice => ({
    message: `another process has announced that it pushes ${bead}, so nothing is decided about it here`,
    hint: `see what became of it with koryph log --bead ${bead}, then ask again`,
  }),
};
