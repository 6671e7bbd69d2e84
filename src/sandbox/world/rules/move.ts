import { gitBytes } from "../../git/world-git.js";
import type { Repository } from "../state.js";
import type { Mover, World } from "../world.js";

export const NOTHING = "0".repeat(40);

/** A ref that is to move, with its value before. */
export interface Move {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}

export interface Judging {
  readonly world: World;
  readonly repository: Repository;
  readonly mover: Mover;
  /** Where git finds objects that are not accepted yet. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Hashes of commits that would become reachable through this move, and were not before from anywhere. */
export function newCommits(
  { repository, env }: Pick<Judging, "repository" | "env">,
  { after }: Move,
): Promise<string[]> {
  return after === NOTHING ? Promise.resolve([]) : listed({ repository, env }, [after, "--not", "--all"]);
}

/** The whole pushed range, also what another branch has already; of a new branch what no other has. */
export function pushedCommits(
  judging: Pick<Judging, "repository" | "env">,
  move: Move,
  args: readonly string[] = [],
): Promise<string[]> {
  const { before, after } = move;
  return before === NOTHING
    ? listed(judging, [...args, after, "--not", "--all"])
    : listed(judging, [...args, `${before}..${after}`]);
}

async function listed(
  { repository, env }: Pick<Judging, "repository" | "env">,
  args: readonly string[],
): Promise<string[]> {
  const list = (await gitBytes(repository, ["rev-list", ...args], { env })).toString();
  return list.split("\n").filter((line) => line !== "");
}
