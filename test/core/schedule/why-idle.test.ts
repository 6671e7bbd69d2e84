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
    name: "issues that nobody has released",
    beads: [],
    unreleased: { count: 3, label: "koryph:release" },
    says: "nothing is ready: the work source has no beads; 3 open issues wait for the label koryph:release: set it on each that an agent may work on, with triage rights",
  },
  {
    name: "one issue that nobody has released, beside beads that are done",
    beads: [bead({ id: "a", status: "closed" })],
    unreleased: { count: 1, label: "koryph:release" },
    says: "nothing is ready: every bead is closed; 1 open issue waits for the label koryph:release: set it where an agent may work on it, with triage rights",
  },
  {
    name: "no issues that somebody could release",
    beads: [],
    unreleased: { count: 0, label: "koryph:release" },
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
])("$name: $says", ({ beads, parent, ready, unreleased, says }) => {
  const idle = whyIdle(beads, { parent, ready, unreleased });
  expect(idle && idleSentence(idle)).toBe(says);
});

test("ready beads that stay leave no question where nothing else waits", () => {
  expect(whyIdle([bead({ id: "a" }), bead({ id: "b", status: "closed" })], { ready: ["a"] })).toBeNull();
});

test("a bead that depends on one that does not exist does not wait for it", () => {
  const beads = [bead({ id: "a" }), bead({ id: "b", blockers: ["a", "nope"] })];
  const said = (of: Bead | undefined) => of && notReadyText(whyNotReady(of, beads));
  expect(said(beads[1])).toBe("it waits for a; it depends on nope, and there is no such bead");
  expect(said(bead({ id: "c", blockers: ["nope"] }))).toBe("it depends on nope, and there is no such bead");
});
