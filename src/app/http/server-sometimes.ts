/** Calls `tell` at once, and then at most once in the given time, with how often it would have been called since. */
export function sometimes(milliseconds: number, tell: (times: number) => void): () => void {
  let times = 0;
  let quietUntil = 0;
  return () => {
    times += 1;
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + milliseconds;
    tell(times);
    times = 0;
  };
}
