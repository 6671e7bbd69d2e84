import { plainText } from "../../../lib/plain-text.js";
import { PROJECT_FILE } from "./project.js";

/**
 * Stands in a starter file until somebody names a gate. A project without one would let everything land; this lets
 * nothing land, and says why.
 */
export const NO_GATE = `echo '${PROJECT_FILE} has no gate yet: name the commands that must pass before anything lands' >&2; exit 1`;

/** What `koryph init` says of the gate it wrote; null when no tests were found. */
export function gateLine(gate: string | null): string {
  return gate === null
    ? "  no tests were found here, so its gate fails until you put commands of your own there"
    : `  its gate is ${plainText(gate)}, for what is there`;
}
