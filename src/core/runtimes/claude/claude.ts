import type { RuntimeDescriptor } from "../runtime-descriptor.js";
import { claudeAccount, claudeAccountFiles } from "./claude-account.js";
import { claudeArguments, claudeVariables } from "./claude-command.js";
import { claudeGuard } from "./claude-guard.js";
import { ClaudeStream } from "./claude-stream.js";
import { readClaudeTranscript } from "./claude-transcript.js";

/** Claude Code in print mode. */
export const claude: RuntimeDescriptor = {
  name: "claude",
  package: "@anthropic-ai/claude-code",
  program: "claude",
  version: { oldest: "2.1.197", answerSeconds: 30 },
  // It answers an interrupt within a second, ends its tools, and still reports its cost.
  stopSignals: ["SIGINT", "SIGTERM", "SIGKILL"],
  credentials: {
    anyOf: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    hint: "`claude setup-token` makes a token for a subscription",
  },
  account: {
    ...{ title: "Claude Code", pool: "", keyVariable: "ANTHROPIC_API_KEY", keyForm: /^sk-ant-api/ },
    tokens: ["ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    profile: {
      variable: "CLAUDE_CONFIG_DIR",
      folder: ".claude",
      login: "claude /login",
      files: claudeAccountFiles,
      read: claudeAccount,
    },
  },
  network: {
    hosts: () => ["api.anthropic.com", "console.anthropic.com", "platform.claude.com"],
    addresses: ["ANTHROPIC_BASE_URL"],
  },
  passedOn: ["ANTHROPIC_BASE_URL"],
  models: { aliases: ["haiku", "sonnet", "opus", "fable"], example: "sonnet", recovery: "opus" },
  records: {
    inHome: ".claude/projects",
    folders: (env, home) => {
      const usual = [`${home}/.claude`, `${env.XDG_CONFIG_HOME || `${home}/.config`}/claude`];
      return (env.CLAUDE_CONFIG_DIR ? [env.CLAUDE_CONFIG_DIR] : usual).map((folder) => `${folder}/projects`);
    },
    file: /\.jsonl$/,
    read: readClaudeTranscript,
    ccusage: true,
  },
  protectedPaths: ["CLAUDE.md", "CLAUDE.local.md", ".claude/", ".mcp.json"],
  notes: ["CLAUDE.md"],
  variables: claudeVariables,
  launch: (spec, { program, guard }) => {
    const guarded = claudeGuard(spec, guard);
    return {
      argv: [...program, ...claudeArguments(spec), ...guarded.arguments],
      variables: {},
      files: guarded.files,
    };
  },
  parser: ({ costBaselineUsd }, { version }) => new ClaudeStream({ version, costBaselineUsd }),
};
