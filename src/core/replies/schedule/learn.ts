import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import { FEWEST_BEADS, type LearntArea } from "../../schedule/learn-areas.js";

/** What history says about the areas of a project, and how much of it there is. */
export interface LearntPlan {
  readonly project: string;
  readonly areas: readonly LearntArea[];
  /** Beads that landed. */
  readonly landed: number;
  /** Those of them whose commits are not on this machine, or that named no area. */
  readonly elsewhere: number;
  readonly unlabeled: number;
}

const LONGEST = 120;

export function learntText({ project, areas, landed, elsewhere, unlabeled }: LearntPlan): string[] {
  const seen = areas.filter(({ beads }) => beads > 0);
  const enough = seen.filter(({ beads }) => beads >= FEWEST_BEADS);
  const without = [
    ...(unlabeled > 0 ? [`${unlabeled} without an area: label`] : []),
    ...(elsewhere > 0 ? [`${elsewhere} whose commits are not on this machine`] : []),
  ];
  const head = `Areas of ${project}, from ${landed} landed ${landed === 1 ? "bead" : "beads"}${without.length > 0 ? `, of which ${without.join(" and ")}` : ""}`;
  const few = seen.filter(({ beads }) => beads < FEWEST_BEADS);
  const tooFew = few.map(({ area, beads }) => `  ${shown(area)}  ${beads}`);
  return [
    head,
    ...enough.flatMap(areaLines),
    ...(few.length > 0
      ? ["", `too little history, fewer than ${FEWEST_BEADS} beads with this area alone:`]
      : []),
    ...tooFew,
    "",
    ...(enough.length === 0
      ? [
          `too little history: a proposal needs ${FEWEST_BEADS} landed beads that name the same area and no other`,
        ]
      : ["in koryph.project.json that is:", `  "area_map": ${JSON.stringify(proposedMap(areas))}`]),
  ];
}

function areaLines({ area, beads, tokens, unused }: LearntArea): string[] {
  const rows = [
    ...tokens.map(({ token, beads: at, known }) => [
      known ? "   " : "  +",
      shown(token),
      `changed by ${at} of ${beads}${known ? "" : ", and not in its area_map"}`,
    ]),
    ...unused.map((token) => ["  ?", shown(token), `changed by none of ${beads}`]),
  ];
  return ["", `area:${shown(area)}  ${beads} beads`, ...table(rows)];
}

/** A proposal takes nothing away; areas of which too little is known are not in it. */
function proposedMap(areas: readonly LearntArea[]): Record<string, string[]> {
  return Object.fromEntries(
    areas
      .filter(({ tokens }) => tokens.length > 0)
      .map(({ area, tokens, unused, names }) => [
        area,
        [...names, ...tokens.map(({ token }) => token), ...unused].sort(),
      ]),
  );
}

function shown(text: string): string {
  return cutText(plainText(text), LONGEST);
}

/** A promise to programs, as docs/json.md describes it. */
export function learntJson({ project, areas, landed, elsewhere, unlabeled }: LearntPlan) {
  return {
    project_id: project,
    landed,
    elsewhere,
    unlabeled,
    fewest_beads: FEWEST_BEADS,
    areas: areas.map(({ area, beads, tokens, unused, names }) => ({
      area,
      beads,
      enough: beads >= FEWEST_BEADS,
      tokens: tokens.map(({ token, beads: at, known }) => ({ token, beads: at, known })),
      unused,
      names,
    })),
    area_map: proposedMap(areas),
  };
}
