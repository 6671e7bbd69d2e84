/** What an agent reads in its inbox in the place of words that are not there. */
export const inboxNote = {
  dropped: "(A message that was here is left out, because this file is full.)",
  cut: (longest: number) => `(The rest is left out: a message has at most ${longest} characters.)`,
};
