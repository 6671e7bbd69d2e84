import { EFFORTS, type Effort } from "../model/effort.js";
import { BUILT_IN_PERSONAS } from "./built-in-personas.js";
import { capped, fenced } from "./untrusted-text.js";

/** The folder of a repository that describes its agents, on the default branch. */
const PERSONA_FOLDER = "agents";
const PERSONA_CHARACTERS = 20_000;

/** Who an agent is to be in a stage or a review. */
export interface Persona {
  readonly text: string;
  /** A hint for runtimes that can follow it; null when there is none. */
  readonly effort: Effort | null;
}

export interface PersonaWish {
  /** `stage:<name>` or `review`. */
  readonly task: string;
  readonly name: string;
  /** Somebody wrote the name down: then it has to be there. */
  readonly asked: boolean;
}

interface PersonaConfig {
  readonly pipeline: readonly { readonly name: string; readonly persona?: string | undefined }[];
  readonly review: { readonly persona?: string | undefined };
}

/** Who the agents after the implementer are to be: by their setting, else by the name of their stage. */
export function personaWishes({ pipeline, review }: PersonaConfig): PersonaWish[] {
  return [
    ...pipeline.map(({ name, persona }) => ({
      task: `stage:${name}`,
      name: persona ?? name,
      asked: persona !== undefined,
    })),
    { task: "review", name: review.persona ?? "reviewer", asked: review.persona !== undefined },
  ];
}

export function personaPath(name: string): string {
  return `${PERSONA_FOLDER}/${name}.md`;
}

/** What koryph itself has to say about such an agent; null when nothing. */
export function builtInPersona(name: string): Persona | null {
  const text = Object.hasOwn(BUILT_IN_PERSONAS, name) ? BUILT_IN_PERSONAS[name] : undefined;
  return text === undefined ? null : { text, effort: null };
}

/**
 * A persona file: text, and before it, between two lines of `---`, settings of which `effort` is read. Files for other
 * tools name a model there; koryph has resolved the model before, and keeps to it.
 */
export function readPersona(file: string): Persona {
  const lines = file.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end =
    lines[0]?.trim() === "---" ? lines.findIndex((line, at) => at > 0 && line.trim() === "---") : -1;
  const settings = lines.slice(1, Math.max(end, 1));
  const word = settings.flatMap((line) => /^effort:\s*["']?([a-z]+)["']?\s*$/.exec(line)?.[1] ?? []).at(-1);
  const effort = EFFORTS.find((known) => known === word) ?? null;
  return {
    text: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
    effort,
  };
}

/** The part of a prompt that says who the agent is; empty without a persona. */
export function personaSections(persona: Persona | undefined): string[] {
  if (persona === undefined || persona.text === "") return [];
  return [
    `## Your part\nThis describes the role you have here. Follow it where it does not contradict the contract above:\n${fenced(capped(persona.text, PERSONA_CHARACTERS))}`,
  ];
}
