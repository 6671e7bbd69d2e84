import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Variables } from "../../core/runtimes/agent-environment.js";
import { readClaudeTranscript } from "../../core/usage/read-claude-transcript.js";
import { readCodexRollout } from "../../core/usage/read-codex-rollout.js";
import type { RecordReading } from "../../core/usage/spent-message.js";

/** A runtime that keeps records of what its models answered. */
export interface RecordKind {
  readonly pool: string;
  /** Below the home of one of koryph's agents. */
  readonly inHome: string;
  /** What people use by themselves on this machine; any of them may be missing. */
  folders(env: Variables): readonly string[];
  readonly file: RegExp;
  read(text: string): RecordReading;
}

/** opencode keeps its own in a database, and what a program of the project's own keeps nobody knows. */
export const RECORD_KINDS: readonly RecordKind[] = [
  {
    pool: "",
    inHome: ".claude/projects",
    folders: (env) => {
      const named = absolute(env.CLAUDE_CONFIG_DIR);
      const usual = [
        join(homeOf(env), ".claude"),
        join(absolute(env.XDG_CONFIG_HOME) ?? join(homeOf(env), ".config"), "claude"),
      ];
      return (named === null ? usual : [named]).map((folder) => join(folder, "projects"));
    },
    file: /\.jsonl$/,
    read: readClaudeTranscript,
  },
  {
    pool: "codex",
    inHome: ".codex/sessions",
    folders: (env) => [join(absolute(env.CODEX_HOME) ?? join(homeOf(env), ".codex"), "sessions")],
    file: /^rollout-.*\.jsonl$/,
    read: readCodexRollout,
  },
];

/** Null for an account whose runtime keeps no records that koryph can read. */
export function recordKindOf(pool: string): RecordKind | null {
  return RECORD_KINDS.find((kind) => kind.pool === pool) ?? null;
}

function homeOf(env: Variables): string {
  return absolute(env.HOME) ?? homedir();
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}
