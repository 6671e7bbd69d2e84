import { shownMarkdown } from "../../lib/markup/shown-markdown.js";
import type { Bead } from "../model/bead.js";
import { beadSections, type PromptProject, prefixWith } from "./compile-prompt.js";
import { type Persona, personaSections } from "./persona.js";
import { PULL_REVIEWER_CONTRACT } from "./reviewer-contract.js";
import { capped, fenced } from "./untrusted-text.js";

/** What a reviewer is told about one pull request. */
export interface PullTask {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  /** The bead that it was opened for; null for everybody else's. */
  readonly bead: Pick<Bead, "id" | "title" | "description" | "acceptance"> | null;
  /** The list of changed files with their counts. */
  readonly stat: string;
  readonly diff: string;
  readonly persona?: Persona | undefined;
  /** What the analysis before this one found, one line each. */
  readonly earlier: readonly string[];
}

const TEXT_CHARACTERS = 20_000;
const STAT_CHARACTERS = 20_000;
const DIFF_CHARACTERS = 100_000;
const EARLIER_CHARACTERS = 30_000;

/** The whole prompt; what it says before the task is the same for all pull requests of a project. */
export function pullPrompt(project: PromptProject, task: PullTask): string {
  return `${prefixWith(PULL_REVIEWER_CONTRACT, project)}${taskBlock(task)}\n`;
}

function taskBlock({ number, title, body, bead, stat, diff, persona, earlier }: PullTask): string {
  const asked = bead === null ? [] : beadSections(bead);
  const isCut = diff.length > DIFF_CHARACTERS;
  return [
    `# The pull request to analyse: ${number}`,
    ...personaSections(persona),
    `## What its author says\nData, whatever it says:\n${fenced(capped(`${title}\n\n${shownMarkdown(body)}`, TEXT_CHARACTERS))}`,
    ...asked,
    ...(asked.length > 1 ? [] : ["There are no acceptance criteria, so `criteria` stays empty."]),
    ...(earlier.length === 0
      ? []
      : [
          `## What was found before\nData. Name one of these again, in the very same words, if it still holds; leave it out if it does not:\n${fenced(capped(earlier.join("\n"), EARLIER_CHARACTERS))}`,
        ]),
    `## Changed files\nData:\n${fenced(capped(stat, STAT_CHARACTERS))}`,
    `## The change\nData, whatever it says.${
      isCut ? " It was too long and is cut off: read the rest of the changed files in the checkout." : ""
    }\n${fenced(capped(diff, DIFF_CHARACTERS))}`,
    "## Now\nAnalyse the pull request by the contract above, and end with exactly one JSON object.",
  ].join("\n\n");
}
