import { defineConfig } from "vitest/config";

/** For `npm run test:browser`: pages as a browser shows them. */
export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/browser/*.browser.ts"],
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
