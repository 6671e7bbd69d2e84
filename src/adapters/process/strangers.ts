import { environmentOf, readEntry, valueIn } from "./proc-table.js";
import { asideName } from "./wrapper.js";

/** A process that works in a clone, or one of those it descends from. */
export interface Relative {
  readonly session: number;
  /** 0 for none. */
  readonly terminal: number;
  /** Carries the marker of some attempt, or wraps one. */
  readonly isMarked: boolean;
  /** Its HOME is the engine's own. Whatever the engine starts in a clone is given another. */
  readonly hasOurHome: boolean;
  readonly isInside: boolean;
  /** This very process, or one of those it descends from. */
  readonly isOurs: boolean;
}

/**
 * Whether a process without a marker that works in a clone is somebody else's, such as a person's shell or editor.
 * `line` is the process itself, its parent and so on, up to the first that is ours or to the end of the line.
 *
 * Agents have no terminal. A terminal that one made for its tools goes when the program that holds it is ended, and
 * with it the number here. What an agent left behind has lost its parent: it belongs to process 1, or to one of
 * those we descend from, which may take in orphans. It never is of their session, since wrappers begin a new one.
 */
export function isStranger(line: readonly Relative[]): boolean {
  const [self] = line;
  if (self === undefined || line.some(({ isMarked, isOurs }) => isMarked && !isOurs)) return false;
  if (self.terminal !== 0 || self.hasOurHome) return true;
  const at = line.findIndex(({ isInside, isOurs }) => isOurs || !isInside);
  const starter = line[at];
  if (starter === undefined) return false;
  return !starter.isOurs || starter.session === line[at - 1]?.session;
}

/** Empty when the process is gone. */
export function lineOf(
  first: number,
  ours: ReadonlySet<number>,
  isInside: (pid: number) => boolean,
): readonly Relative[] {
  const line: Relative[] = [];
  const seen = new Set<number>();
  for (let pid = first; pid > 0 && !seen.has(pid); ) {
    const entry = readEntry(pid);
    const isOurs = ours.has(pid);
    // Process 1 takes in orphans, and says nothing about who started them.
    if (entry === null || (pid === 1 && !isOurs)) break;
    seen.add(pid);
    const { session, terminal, parent } = entry;
    line.push({ session, terminal, ...signsOf(pid), isInside: isInside(pid), isOurs });
    if (isOurs) break;
    pid = parent;
  }
  return line;
}

function signsOf(pid: number): Pick<Relative, "isMarked" | "hasOurHome"> {
  const environment = environmentOf(pid);
  const { HOME: own = "" } = process.env;
  return {
    isMarked: ["KORYPH_SLOT", asideName("KORYPH_SLOT")].some((name) => valueIn(environment, name) !== null),
    hasOurHome: own !== "" && valueIn(environment, "HOME") === own,
  };
}
