import { expect, test } from "vitest";
import {
  runningText,
  stillRunningText,
  waitingText,
} from "../../../../src/core/replies/land/landing-clock.js";

test("a command of the second try is told from the same one of the first", () => {
  const command = { command: "npm test", number: 1, of: 2, since: 1_000 };
  const again = { ...command, isSecondTry: true };
  expect(runningText(command)).toBe("gate command 1 of 2: npm test");
  expect(runningText(again)).toBe("gate command 1 of 2, second try, as the first was red: npm test");
  expect(stillRunningText(command, 6_000)).toBe("gate command 1 of 2, 5s: npm test");
  expect(stillRunningText(again, 6_000)).toBe("gate command 1 of 2, second try, 5s: npm test");
});

test("whoever waits behind a lock that names nobody is told which file it is, and what to do", () => {
  const nobody = { pid: 0, since: "an unknown time", work: null, file: "/home/o/.koryph/p/land.lock" };
  expect(waitingText(nobody)).toBe(
    "waits for whoever made /home/o/.koryph/p/land.lock, which names no process; remove it if no other koryph lands or runs the gate here",
  );
});
