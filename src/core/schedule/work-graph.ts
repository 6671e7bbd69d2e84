import { type Bead, type BeadId, isClosed } from "../model/bead.js";

/** Open beads whose every blocker is closed, in the given order. A blocker nobody knows is not closed. */
export function frontierOf(beads: readonly Bead[]): Bead[] {
  const closed = new Set<string>();
  for (const bead of beads) if (isClosed(bead)) closed.add(bead.id);
  return beads.filter((bead) => bead.status === "open" && bead.blockers.every((id) => closed.has(id)));
}

/** Ids of the beads that have at least one open child. */
export function containersOf(beads: readonly Bead[]): Set<string> {
  const containers = new Set<string>();
  for (const bead of beads) if (bead.parent !== null && !isClosed(bead)) containers.add(bead.parent);
  return containers;
}

/** All beads below `root`, children of children included, in the given order; `root` itself is left out. */
export function descendantsOf(root: string, beads: readonly Bead[]): Bead[] {
  const children = new Map<string, Bead[]>();
  for (const bead of beads) {
    if (bead.parent === null) continue;
    const siblings = children.get(bead.parent);
    if (siblings) siblings.push(bead);
    else children.set(bead.parent, [bead]);
  }
  const below = new Set<string>();
  const pending = [root];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const child of children.get(id) ?? []) {
      if (child.id === root || below.has(child.id)) continue;
      below.add(child.id);
      pending.push(child.id);
    }
  }
  return beads.filter((bead) => below.has(bead.id));
}

/** The beads that another one names as its parent. */
export function parentsById(beads: readonly Bead[]): Map<BeadId, Bead> {
  const named = new Set<BeadId>();
  for (const { parent } of beads) if (parent !== null) named.add(parent);
  const parents = new Map<BeadId, Bead>();
  if (named.size > 0) for (const bead of beads) if (named.has(bead.id)) parents.set(bead.id, bead);
  return parents;
}

/** The bead's parents, nearest first. Ends where a parent is unknown or comes round again. */
export function ancestorsOf(bead: Bead, parents: ReadonlyMap<BeadId, Bead>): Bead[] {
  const ancestors: Bead[] = [];
  const seen = new Set<string>([bead.id]);
  let parent = bead.parent;
  while (parent !== null && !seen.has(parent)) {
    seen.add(parent);
    const next = parents.get(parent);
    if (!next) break;
    ancestors.push(next);
    parent = next.parent;
  }
  return ancestors;
}

/** Beads that are their own ancestors, each circle of them in the given order. */
export function parentCycles(beads: readonly Bead[]): Bead[][] {
  const parents = new Map<string, string>();
  for (const { id, parent } of beads) if (parent !== null) parents.set(id, parent);
  const cycles: Set<string>[] = [];
  const walked = new Set<string>();
  for (const start of parents.keys()) {
    const path = new Set<string>();
    let id: string | undefined = start;
    for (; id !== undefined && !walked.has(id); id = parents.get(id)) {
      walked.add(id);
      path.add(id);
    }
    if (id === undefined || !path.has(id)) continue;
    const steps = [...path];
    cycles.push(new Set(steps.slice(steps.indexOf(id))));
  }
  return cycles.map((ids) => beads.filter((bead) => ids.has(bead.id)));
}
