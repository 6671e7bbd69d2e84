import { expect, test } from "vitest";
import { OutsideFault } from "../../src/ports/outside-fault.js";
import { askPatiently } from "../../src/wiring/ask-patiently.js";

const away = () => new OutsideFault({ message: "GitHub says 503", hint: "wait" });

/** Answers after so many failures; what was told, and how long it was waited for in all. */
async function asked(failures: number, error: () => Error = away) {
  let [left, waitedMs] = [failures, 0];
  const told: string[] = [];
  const answer = askPatiently(
    async () => {
      left -= 1;
      if (left >= 0) throw error();
      return "beads";
    },
    {
      tell: (what) => told.push(what),
      sleep: async (ms) => {
        waitedMs += ms;
      },
    },
  );
  return { answer: await answer.catch((caught: Error) => caught.message), told, waitedMs };
}

test("what does not answer is asked again, and told once", async () => {
  expect(await asked(3)).toEqual({ answer: "beads", told: ["GitHub says 503"], waitedMs: 7_000 });
});

test("who answers at once is not waited for", async () => {
  expect(await asked(0)).toEqual({ answer: "beads", told: [], waitedMs: 0 });
});

test("after four minutes it is given up", async () => {
  expect(await asked(1_000)).toEqual({
    answer: "GitHub says 503",
    told: ["GitHub says 503"],
    waitedMs: 240_000,
  });
});

test("what a person has to put right is not asked for again", async () => {
  expect(await asked(1, () => new Error("no token"))).toEqual({ answer: "no token", told: [], waitedMs: 0 });
});
