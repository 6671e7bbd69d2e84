/** What is said of agents that live although nothing recorded knows of them. */
export const attemptTrouble = {
  ended: (bead: string, processes: number) =>
    `${bead} had ${processes === 1 ? "a live process" : `${processes} live processes`} that no recorded attempt accounts for; ended`,
  outlives: (clone: string) => `another attempt in ${clone} could not be ended`,
};
