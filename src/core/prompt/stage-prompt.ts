import { beadSections, type PromptProject, type PromptTask, promptPrefix } from "./compile-prompt.js";
import { type Persona, personaSections } from "./persona.js";
import { capped, fenced } from "./untrusted-text.js";

/** What an agent is told about one stage between implementing and review. */
export interface StageTask {
  readonly bead: PromptTask["bead"];
  readonly stage: { readonly name: string; readonly prompt: string };
  /** The files changed so far, with their counts. */
  readonly stat: string;
  readonly persona?: Persona | undefined;
}

const PROMPT_CHARACTERS = 60_000;
const STAT_CHARACTERS = 20_000;

/** The whole prompt. Its prefix is that of the bead's implementer, byte for byte: the stage is a worker, too. */
export function stagePrompt(project: PromptProject, { bead, stage, stat, persona }: StageTask): string {
  const sections = [
    `# Your task: stage \`${stage.name}\` of bead ${bead.id}\nThe bead has been worked on, and its commits are on your branch, \`agent/${bead.id}\`. Look at them with \`git log\` first. Work on what is there: do not begin anew, and leave the earlier commits as they are.`,
    `## What this stage is for\nWritten by the project. Do what it asks as far as the contract allows, and no more:\n${fenced(capped(stage.prompt, PROMPT_CHARACTERS))}`,
    ...personaSections(persona),
    ...beadSections(bead),
    `## Changed so far\nData:\n${fenced(capped(stat, STAT_CHARACTERS))}`,
    "## The end of the stage\nCommit what you change, and leave the tree clean. If nothing needs to change, commit nothing, say so in the summary, and end.",
  ];
  return `${promptPrefix(project)}${sections.join("\n\n")}\n`;
}
