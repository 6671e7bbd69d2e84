import { expect, test } from "vitest";
import type { Bead } from "../../../src/core/model/bead.js";
import { idleSentence, notReadyText } from "../../../src/core/replies/schedule/idle.js";
import { whyIdle } from "../../../src/core/schedule/why-idle.js";
import { whyNotReady } from "../../../src/core/schedule/why-not-ready.js";
import { bead } from "../../support/core/beads.js";

test.each([
  {
    name: "no beads at all",
    beads: [],
    says: "nothing is ready: the work source has no beads",
  },
  {
    name: "a parent without children",
    beads: [bead({ id: "a" })],
    parent: "a",
    says: "nothing is ready: no bead lies below a",
  },
  {
    name: "everything closed",
    beads: [bead({ id: "a", status: "closed" })],
    says: "nothing is ready: every bead is closed",
  },
  {
    name: "everything below a parent closed",
    beads: [bead({ id: "a" }), bead({ id: "b", parent: "a", status: "closed" })],
    parent: "a",
    says: "nothing is ready: every bead below a is closed",
  },
  {
    name: "beads in work, and one that waits for them",
    beads: [bead({ id: "a", status: "in_progress" }), bead({ id: "b", blockers: ["a"] })],
    says: "nothing is ready: of the open beads 1 taken or set aside, 1 waiting for others",
  },
  {
    name: "a circle",
    beads: [bead({ id: "a", blockers: ["b"] }), bead({ id: "b", blockers: ["a"] })],
    says: "nothing is ready: of the open beads 2 waiting for others; 2 of these can never become ready (2 in a circle), `koryph plan audit` says why",
  },
  {
    name: "a blocker that does not exist",
    beads: [bead({ id: "a", blockers: ["nobody"] }), bead({ id: "b", blockers: ["a"] })],
    says: "nothing is ready: of the open beads 2 waiting for others; 2 of these can never become ready (1 depends on a bead that does not exist, 1 behind such a bead), `koryph plan audit` says why",
  },
  {
    name: "a ready bead that no agent gets, beside others that are not ready",
    beads: [
      bead({ id: "a", blockers: ["b"] }),
      bead({ id: "b", blockers: ["a"] }),
      bead({ id: "c", blockers: ["nobody"] }),
      bead({ id: "d", labels: ["no-dispatch"] }),
    ],
    ready: ["d"],
    says: "besides these, nothing is ready: of the open beads 3 waiting for others; 3 of these can never become ready (2 in a circle, 1 depends on a bead that does not exist), `koryph plan audit` says why",
  },
])("$name: $says", ({ beads, parent, ready, says }) => {
  const idle = whyIdle(beads, parent, ready);
  expect(idle && idleSentence(idle)).toBe(says);
});

test("ready beads that stay leave no question where nothing else waits", () => {
  expect(whyIdle([bead({ id: "a" }), bead({ id: "b", status: "closed" })], null, ["a"])).toBeNull();
});

test("a bead that depends on one that does not exist does not wait for it", () => {
  const beads = [bead({ id: "a" }), bead({ id: "b", blockers: ["a", "nope"] })];
  const said = (of: Bead | undefined) => of && notReadyText(whyNotReady(of, beads));
  expect(said(beads[1])).toBe("it waits for a; it depends on nope, and there is no such bead");
  expect(said(bead({ id: "c", blockers: ["nope"] }))).toBe("it depends on nope, and there is no such bead");
});
