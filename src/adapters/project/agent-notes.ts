import { AGENT_NOTES } from "../../core/runtimes/runtimes.js";
import { readFileAt } from "../git/exec/read-file-at.js";

/** What the repository says to agents, from its default branch: a branch must not change its own rules. */
export async function agentNotes(repository: string, base: string): Promise<string> {
  const notes: string[] = [];
  for (const name of AGENT_NOTES) {
    const note = await readFileAt(repository, base, name);
    // Many repositories keep one text under several names, and every word of it is paid for in each prompt.
    if (note !== null && !notes.includes(note)) notes.push(note);
  }
  return notes.join("\n\n");
}
