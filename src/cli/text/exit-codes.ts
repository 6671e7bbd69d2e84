/** What the shell gets, and what `koryph --help` and the README say about it. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  usage: 2,
  drained: 4,
} as const;

export const EXIT_CODE_MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT_CODES.ok, "done, or stopped for a reason that is no failure"],
  [EXIT_CODES.failed, "failed; the message says what is needed"],
  [EXIT_CODES.usage, "the command line was not understood; nothing was done"],
  [EXIT_CODES.drained, "success too: the run ended because nothing was left to do, or was told to drain"],
];
