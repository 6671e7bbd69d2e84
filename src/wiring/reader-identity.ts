/** Owns the repositories in which koryph only reads and runs things. No commit of its own leaves them. */
export const READER = { name: "koryph", email: "koryph@koryph.invalid" };
