/** What the demo says between the commands it shows. */
export const demoWords = {
  made: (beads: number): string =>
    `This demo made a shop's repository with ${beads} beads, and a bare one in place of its server.`,
  signing: (): string => "Only signed commits may land in this shop, so the engine gets a key of its own.",
  run: (): string =>
    "Now six of the beads for real, with a scripted agent. Two want the same files, one agent dies, one breaks the gate, the review sends one back, and one touches what no agent may touch.",
  killed: (): string => "The demo killed the engine (SIGKILL) with agents at work. They go on without it.",
  ended: (): string =>
    "Where every bead is now. kiosk-12 waits for a person, who would look at it and then run koryph land kiosk-12 --allow-protected:",
  proof: (): string => "The default branch on the server, as git verifies it:",
  next: (): string => "next: koryph init in your own repository",
};
