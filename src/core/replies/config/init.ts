import { plainText } from "../../../lib/plain-text.js";
import { type GuessedGate, KNOWN_TESTS } from "../../config/guess-gate.js";
import { PROJECT_FILE } from "../../config/project-file.js";

/**
 * The gate of a starter file until somebody names one. A project without a gate would let everything land; this one
 * lets nothing land, and says why.
 */
export const NO_GATE = `echo '${PROJECT_FILE} has no gate yet: name the commands that must pass before anything lands' >&2; exit 1`;

/** What `koryph init` says of the gate it found; null when it found no tests. */
export function gateLine(gate: GuessedGate | null): string {
  if (gate === null)
    return `  koryph found no tests here, so its gate fails until you put commands of your own there\n  (it recognises ${KNOWN_TESTS.join("; ")})`;
  const commands = plainText(gate.commands.join(", then "));
  const unpinned =
    "\n  no lock file pins the packages, so each run of the gate installs the newest that fit; commit one to pin them";
  return `  its gate is ${commands}, from the tests found here; koryph gate tries it${gate.unpinned ? unpinned : ""}`;
}
