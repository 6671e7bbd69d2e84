import { expect, test } from "vitest";
import { idleSentence } from "../../../src/core/replies/schedule/idle.js";
import { whyIdle } from "../../../src/core/schedule/why-idle.js";
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
    says: "nothing is ready: of the open beads 2 waiting for others; 2 of these can never become ready, `koryph plan audit` says why",
  },
  {
    name: "a blocker that does not exist",
    beads: [bead({ id: "a", blockers: ["nobody"] }), bead({ id: "b", blockers: ["a"] })],
    says: "nothing is ready: of the open beads 2 waiting for others; 2 of these can never become ready, `koryph plan audit` says why",
  },
])("$name: $says", ({ beads, parent, says }) => {
  expect(idleSentence(whyIdle(beads, parent))).toBe(says);
});
