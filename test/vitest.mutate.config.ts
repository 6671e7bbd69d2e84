import { defineConfig } from "vitest/config";

/** For `npm run mutate`: the rules are judged by their own tests, which start nothing and share nothing. */
export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/core/**/*.test.ts"],
    testTimeout: 60_000,
  },
});
