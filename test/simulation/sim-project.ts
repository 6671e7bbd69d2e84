import type { ProjectConfig } from "../../src/core/config/project-schema.js";
import { readProject } from "../../src/core/config/read-project.js";
import type { Bead, BeadId } from "../../src/core/model/bead.js";
import type { RunOptions } from "../../src/core/run/tick/tick-facts.js";
import type { Chance } from "./chance.js";
import type { Behaviour } from "./sim-processes.js";

export interface SimBead {
  readonly bead: Bead;
  status: string;
  assignee: string;
}

/** Epics carry the merge policy of the beads below them, and are no work themselves. */
const EPICS = ["auto", "manual", "pr"] as const;

export function simConfig(chance: Chance): ProjectConfig {
  const required = chance.percent(30);
  const stages = chance.pick([[], [], ["docs"], ["docs", "tests"]]);
  const project = readProject(
    JSON.stringify({
      schema_version: 1,
      project_id: "sim",
      work_source: "file",
      gate: ["true"],
      max_concurrent_slots: 1 + chance.below(4),
      dispatch_stagger_seconds: chance.pick([0, 0, 5]),
      resources: { gpu: { capacity: 1 } },
      merge_policy: chance.pick(["auto", "auto", "auto", "manual", "pr"]),
      merge_method: !required && chance.percent(30) ? "squash" : "ff",
      commit_style: chance.pick(["conventional", "conventional", "none"]),
      signing: { required },
      review: { on_degraded: chance.pick(["proceed", "block"]) },
      pipeline: stages.map((name) => ({ name, prompt: name, optional: chance.percent(50) })),
    }),
  );
  if (project.kind !== "ok") throw new Error("the simulated project is wrong");
  return project.config;
}

export function simOptions(chance: Chance): Pick<RunOptions, "review" | "autoMerge" | "direct"> {
  return { review: chance.percent(40), autoMerge: chance.percent(80), direct: chance.percent(10) };
}

export function simBeads(chance: Chance, count: number): SimBead[] {
  const epics = EPICS.map((policy) => plain(`e-${policy}`, { type: "epic", labels: [`merge:${policy}`] }));
  const beads = Array.from({ length: count }, (_, index) => {
    const labels = [`fp:t${chance.below(4)}`];
    if (chance.percent(40)) labels.push(`fp:read:t${chance.below(4)}`);
    if (chance.percent(20)) labels.push("res:gpu");
    const blockers = index > 0 && chance.percent(20) ? [`b-${chance.below(index)}` as BeadId] : [];
    const parent = chance.percent(30)
      ? (`e-${chance.pick(["auto", "auto", "manual", "manual", "pr"])}` as BeadId)
      : null;
    return plain(`b-${index}`, { labels, blockers, parent, priority: chance.below(3) });
  });
  // An epic without children would be work like any other.
  const parents = new Set(beads.map(({ bead }) => bead.parent));
  return [...beads, ...epics.filter(({ bead }) => parents.has(bead.id))];
}

function plain(id: string, bead: Partial<Bead>): SimBead {
  const rest = {
    title: `work on ${id}`,
    description: "",
    acceptance: "",
    priority: 1,
    type: "task",
  } as const;
  const free = { labels: [], assignee: "", parent: null, blockers: [] };
  return {
    bead: { id: id as BeadId, status: "open", ...rest, ...free, ...bead },
    status: "open",
    assignee: "",
  };
}

/** What the agent of an attempt does. Later attempts get kinder, so that the world can come to rest. */
export function simBehaviour(chance: Chance, attempt: number, reviews: boolean): Behaviour {
  const seconds = 5 + chance.below(chance.percent(15) ? 200 : 60);
  const text = reviews ? chance.pick([CLEAN, CLEAN, CLEAN, BLOCKING, "no idea"]) : "";
  const well = { seconds, text, commits: 1 + chance.below(3), dirty: false, outcome: "completed" } as const;
  if (attempt > 3 ? chance.percent(90) : chance.percent(65)) return well;
  return {
    ...well,
    ...chance.pick<Partial<Behaviour>>([
      { commits: 0 },
      { commits: 1, dirty: true },
      { commits: 1, outcome: "incomplete" },
      { commits: 0, outcome: "failed" },
      { commits: 0, outcome: "limited" },
      { commits: 2, outcome: "killed" },
    ]),
  };
}

const CLEAN = '{"blocking": false, "criteria": [], "findings": []}';
const BLOCKING =
  '{"blocking": true, "criteria": [], "findings": [{"severity": "blocking", "file": "a", "line": 1, "summary": "no"}]}';
