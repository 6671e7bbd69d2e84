/** What a decision needs to know about the agent. All paths are absolute. */
export interface GuardFacts {
  /** Where the tool is called: the shell's folder, or the clone. */
  readonly cwd: string;
  readonly worktree: string;
  /** The agent's private HOME. */
  readonly home: string;
  /** Further folders in which it may write, its own among them. */
  readonly writable: readonly string[];
  /** Folders of the engine and the operator. Nothing below is the agent's but what is named above. */
  readonly engine: readonly string[];
  /** Folders with log-ins, besides the usual ones. */
  readonly secret: readonly string[];
  readonly defaultBranch: string;
  /** Scripts by path, as far as they were asked for; null for one that cannot be read. */
  readonly files: Readonly<Record<string, string | null>>;
}

/** What a shell finds in its environment, as far as it is known. */
export function knownVariables({ home, cwd }: GuardFacts): Readonly<Record<string, readonly string[]>> {
  return { HOME: [home], PWD: [cwd], TMPDIR: [`${home}/tmp`], IFS: [" \t\n"] };
}
