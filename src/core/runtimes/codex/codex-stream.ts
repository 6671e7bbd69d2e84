import { plainText } from "../../../lib/plain-text.js";
import { type TokenCounts, tokensSince } from "../../model/token-counts.js";
import type { AgentEvent, Outcome, ProcessEnd, StreamParser } from "../agent-outcome.js";
import { type EndJudgement, judgeOutsideEnd, lastLine, shortDetail, tailOf } from "../judge-end.js";
import { attemptCostUsd, costUsd, type ModelPrices, type PricedModel, pricesOf } from "../prices.js";
import { readAnswer } from "../read-answer.js";
import { toolSubject } from "../tool-subject.js";
import { codexFailureKind, codexRetry, codexRetryAt } from "./codex-errors.js";
import { type CodexLine, type CodexUsage, codexTokens, readCodexLine } from "./codex-line.js";

export interface CodexStreamOptions {
  readonly model: string;
  readonly prices: ModelPrices;
  /** What the thread had cost before this attempt. */
  readonly costBaselineUsd: number;
  /** What the thread had read and written; null or absent where nobody knows. */
  readonly tokenBaseline?: TokenCounts | null;
  /** Whether an answer of a given shape was asked for. */
  readonly structured: boolean;
}

/** Items that are work, and the name each is shown by. */
const TOOLS: Readonly<Record<string, string>> = {
  command_execution: "shell",
  file_change: "edit",
  mcp_tool_call: "mcp",
  web_search: "web",
};

/**
 * Reads `codex exec --json`. Only `turn.completed` and `turn.failed` end a turn: an `error` line on the way
 * tells of a new try, an item of type `error` is a warning. No end of a turn means that the work is unfinished,
 * whatever the exit code. Items are no full record: a command that fails quickly can be missing.
 */
export class CodexStream implements StreamParser {
  readonly #options: CodexStreamOptions;
  readonly #priced: PricedModel | null;
  #session: string | null = null;
  #text = "";
  #turn: "open" | "completed" | "failed" = "open";
  #failure = "";
  #retry = "";
  #usage: CodexUsage | null = null;
  #warning = "";

  constructor(options: CodexStreamOptions) {
    this.#options = options;
    this.#priced = pricesOf(options.model, options.prices);
  }

  push(lines: string): readonly AgentEvent[] {
    return lines.split("\n").flatMap((line) => this.#line(readCodexLine(line)));
  }

  end(facts: ProcessEnd): Outcome {
    const verdict = judgeOutsideEnd(facts) ?? this.#judge(facts);
    const cost = this.#threadCostUsd();
    return {
      ...verdict,
      session: this.#session,
      text: tailOf(this.#text),
      structured: this.#options.structured ? readAnswer(this.#text) : null,
      denials: [],
      // Counters go on through resume and fork.
      costUsd: cost === null ? 0 : attemptCostUsd(cost, "session", this.#options.costBaselineUsd),
      costKnown: cost !== null && this.#priced?.by === "project",
      costEstimated: cost !== null && this.#priced?.by === "list",
      tokens: this.#tokens(),
      retryAt: verdict.kind === "limited" ? codexRetryAt(this.#failure) : null,
    };
  }

  #judge({ code, stderr }: ProcessEnd): EndJudgement {
    if (this.#session === null) {
      const why = lastLine(stderr) || `no output, exit code ${code}`;
      return { kind: "start-failed", detail: shortDetail(why) };
    }
    switch (this.#turn) {
      case "completed":
        return { kind: "completed", detail: "" };
      case "failed":
        return { kind: codexFailureKind(this.#failure), detail: shortDetail(this.#failure || "turn failed") };
      case "open": {
        const why = this.#retry || lastLine(stderr) || this.#warning;
        const detail = `ended in the middle of a turn, exit code ${code}${why && `: ${why}`}`;
        return { kind: "incomplete", detail: shortDetail(detail) };
      }
    }
  }

  #line(line: CodexLine | null): readonly AgentEvent[] {
    switch (line?.type) {
      case "thread.started":
        if (line.thread_id === undefined) return [];
        this.#session = line.thread_id;
        return [{ kind: "session", id: line.thread_id, model: this.#options.model, version: null }];
      case "turn.started":
        this.#turn = "open";
        this.#retry = "";
        return [];
      case "item.started":
      case "item.completed":
        return this.#item(line);
      case "error":
        return this.#error(line.message ?? "");
      case "turn.completed":
        return this.#completed(line);
      case "turn.failed":
        this.#turn = "failed";
        this.#failure = line.error?.message ?? this.#failure;
        return [];
      default:
        return [];
    }
  }

  #item({ type, item }: CodexLine): AgentEvent[] {
    const kind = item?.type ?? "";
    const done = type === "item.completed";
    if (kind === "error") this.#warning = item?.message ?? "";
    else this.#retry = "";
    if (kind === "agent_message") {
      if (!done || !item?.text) return [];
      this.#text = item.text;
      return [{ kind: "text", text: item.text }];
    }
    const name = Object.hasOwn(TOOLS, kind) ? TOOLS[kind] : undefined;
    if (name === undefined) return [];
    const { command, query, tool, changes } = item ?? {};
    const subject = toolSubject({ command, query, path: tool ?? changes?.[0]?.path });
    const [phase, ok] = done ? (["end", item?.status !== "failed"] as const) : (["start", null] as const);
    return [{ kind: "tool", name, phase, ok, ...(subject !== "" && { subject }) }];
  }

  #error(message: string): AgentEvent[] {
    const retry = codexRetry(message);
    if (retry === null) {
      this.#failure = message;
      return [];
    }
    const reason = plainText(retry.reason || "no answer");
    this.#retry = `the API was being retried (${reason})`;
    return [{ kind: "retry", attempt: retry.attempt, delayMs: null, status: retry.status, reason }];
  }

  #completed({ usage }: CodexLine): AgentEvent[] {
    this.#turn = "completed";
    if (usage === undefined) return [];
    this.#usage = usage;
    const cost = this.#threadCostUsd();
    return cost === null ? [] : [{ kind: "usage", costUsd: cost, scope: "session" }];
  }

  #tokens(): TokenCounts | undefined {
    const { tokenBaseline = null } = this.#options;
    if (this.#usage === null || tokenBaseline === null) return undefined;
    return tokensSince(codexTokens(this.#usage), tokenBaseline);
  }

  /** Null when no tokens were told, or nobody knows their price. */
  #threadCostUsd(): number | null {
    return this.#usage && this.#priced ? costUsd(codexTokens(this.#usage), this.#priced.prices) : null;
  }
}
