/**
 * Has a schema read at once. Without it, it first writes and compiles a function for each kind of object, which takes
 * longer than to read our files and ledgers.
 */
export const PLAINLY = { jitless: true } as const;
