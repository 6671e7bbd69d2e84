import { judgeClaim } from "../../src/core/model/claim.js";
import { descendantsOf, frontierOf } from "../../src/core/schedule/work-graph.js";
import type { WorkSource } from "../../src/ports/work-source.js";
import type { SimBead } from "./sim-project.js";

/** A tracker in memory, shared by everybody. */
export function simSource(beads: readonly SimBead[]): WorkSource {
  const all = () => beads.map(({ bead, status, assignee }) => ({ ...bead, status, assignee }));
  const find = (id: string) => beads.find(({ bead }) => bead.id === id);
  return {
    all: async () => all(),
    ready: async ({ parent } = {}) => {
      const ready = frontierOf(all());
      return parent === undefined
        ? ready
        : ready.filter((bead) => descendantsOf(parent, all()).some(({ id }) => id === bead.id));
    },
    get: async (id) => all().find((bead) => bead.id === id) ?? null,
    children: async () => [],
    claim: async (id, who) => {
      const there = find(id);
      const answer = judgeClaim(there ?? null, who);
      if (answer !== "free" || !there) return answer === "free" ? "gone" : answer;
      there.status = "in_progress";
      there.assignee = who;
      return "claimed";
    },
    release: async (id) => {
      const there = find(id);
      if (there?.status === "in_progress") Object.assign(there, { status: "open", assignee: "" });
    },
    close: async (id) => {
      const there = find(id);
      if (there) there.status = "closed";
      return there ? "closed" : "gone";
    },
    comment: async () => "added",
  };
}
