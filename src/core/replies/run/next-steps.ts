import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { statusWord } from "../beads/status-word.js";
import { idleSentence } from "../schedule/idle.js";
import { dispatchRefusalText } from "../schedule/schedule.js";
import { pauseStep } from "./pauses.js";
import type { RunSummary } from "./progress.js";
import { reasonText } from "./reason-text.js";
import type { Taken } from "./taken-by-runs.js";

const MOST_ROWS = 20;
const MOST_EARLIER = 10;
const MOST_PASSED_OVER = 5;
const LONGEST_REASON = 160;

/**
 * What the operator may do after a run: why nothing more was done, then every bead that waits for a person with what
 * brings it on. Empty when there is nothing to say.
 */
export function nextSteps(summary: RunSummary): string[] {
  const { left, earlier } = summary;
  return [
    ...summary.pauses.map(pauseStep),
    ...budgetStep(summary),
    ...passedOverLines(summary),
    ...(summary.idle === null ? [] : [`  ${idleSentence(summary.idle)}`]),
    ...section("waiting for a person:", left, MOST_ROWS),
    ...section("from earlier runs:", earlier, MOST_EARLIER),
    ...landAllStep([...left, ...earlier]),
  ];
}

function budgetStep({ unaffordable }: RunSummary): string[] {
  if (!unaffordable) return [];
  const { bead, estimateUsd, leftUsd } = unaffordable;
  return [
    `  budget: ${plainText(bead)} may cost $${estimateUsd.toFixed(2)}, and $${leftUsd.toFixed(2)} of it is left`,
  ];
}

function passedOverLines({ passedOver }: RunSummary): string[] {
  const shown = passedOver
    .slice(0, MOST_PASSED_OVER)
    .map(({ bead, refusal }) => `  not dispatched: ${bead.id}: ${plainText(dispatchRefusalText(refusal))}`);
  const more = passedOver.length - shown.length;
  return more > 0 ? [...shown, `  and ${more} more, which koryph run --dry-run lists`] : shown;
}

function section(heading: string, taken: readonly Taken[], most: number): string[] {
  if (taken.length === 0) return [];
  const shown = taken.slice(0, most);
  const bead = longest(shown.map((each) => each.bead));
  const label = longest(shown.map(({ status }) => statusWord(status)));
  const more = taken.length - shown.length;
  return [
    heading,
    ...shown.flatMap((each) => {
      const lead = `  ${each.bead.padEnd(bead)}  ${statusWord(each.status).padEnd(label)}  `;
      const why = cutText(reasonText(each.note), LONGEST_REASON);
      return [`${lead}${each.next.text}`, ...(why === "" ? [] : [`${" ".repeat(lead.length)}${why}`])];
    }),
    ...(more > 0 ? [`  and ${more} more, which koryph list shows`] : []),
  ];
}

function longest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0);
}

/** To be copied where there are several. */
function landAllStep(taken: readonly Taken[]): string[] {
  const finished = taken.filter(({ next }) => next.kind === "land").length;
  return finished > 1 ? [`koryph land --all lands all ${finished} that are finished`] : [];
}
