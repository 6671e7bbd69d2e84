/** What is said of a step for a bead that failed. */
export const effectTrouble = {
  own: (step: string, why: string) => `${step}: ${why}`,
  outside: (step: string, why: string) => `${step}: ${why}; waiting until it works again`,
  unsettled: (bead: string, times: number) =>
    `${bead} has landed, but tidying up after it failed ${times} times; the next run tries again`,
  overdue: () =>
    "something did not come to its end after the interrupt and is left as it is; koryph run --resume goes on with it",
};
