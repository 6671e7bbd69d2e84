import type { ProjectConfig } from "../../core/config/project-schema.js";
import {
  builtInPersona,
  type Persona,
  personaPath,
  personaWishes,
  readPersona,
} from "../../core/prompt/persona.js";
import { runAdvice } from "../../core/replies/run/run.js";
import { UserError } from "../../lib/user-error.js";
import { readFileAt } from "../git/exec/read-file-at.js";

/**
 * Who the agents of stages and reviews are, by task, from the default branch: a branch must not change its own
 * reviewer. Throws a `UserError` for a persona that somebody asked for and nobody describes.
 */
export async function readPersonas(
  repository: string,
  { base, defaultBranch }: { readonly base: string; readonly defaultBranch: string },
  config: ProjectConfig,
): Promise<Map<string, Persona>> {
  const personas = new Map<string, Persona>();
  for (const { task, name, asked } of personaWishes(config)) {
    const text = await readFileAt(repository, base, personaPath(name));
    const persona = text === null ? builtInPersona(name) : readPersona(text);
    if (persona !== null) personas.set(task, persona);
    else if (asked) throw UserError.of(runAdvice.noPersona(name, personaPath(name), defaultBranch));
  }
  return personas;
}
