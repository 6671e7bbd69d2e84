/** Runs one thing at a time per key, in the order asked for. */
export function makeTurns(): <T>(key: string, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, act) => {
    const result = (last.get(key) ?? Promise.resolve()).then(act);
    const ended: Promise<unknown> = result
      .catch(() => {})
      .then(() => {
        if (last.get(key) === ended) last.delete(key);
      });
    last.set(key, ended);
    return result;
  };
}
