import { expect, test } from "vitest";
import { waitingText } from "../../../../src/core/replies/land/landing-clock.js";

test("whoever waits behind a lock that names nobody is told which file it is, and what to do", () => {
  const nobody = { pid: 0, since: "an unknown time", work: null, file: "/home/o/.koryph/p/land.lock" };
  expect(waitingText(nobody)).toBe(
    "waits for whoever made /home/o/.koryph/p/land.lock, which names no process; remove it if no other koryph lands or runs the gate here",
  );
});
